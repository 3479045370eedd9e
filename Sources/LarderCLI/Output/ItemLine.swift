import Foundation
import LarderKit

/// One line for an item: its id, and what a reader would know it by.
enum ItemLine {
    static func lines(for page: FeedPage<Data>, width: Int) -> [String] {
        lines(for: page.entries.map { ($0.id, $0.item) }, width: width)
    }

    static func lines(for items: [(id: ItemID, item: Data)], width: Int) -> [String] {
        let ids = items.map { Printable.cut(Printable.line($0.id.rawValue), to: max(width / 2, 1)) }
        let column = ids.map { Printable.columns(of: $0) }.max() ?? 0
        return zip(ids, items).map { id, item in
            let preview = Printable.cut(preview(of: item.item), to: max(width - column - 2, 8))
            return Printable.padded(id, to: column) + "  " + preview
        }
    }

    /// The text of the first member that is likely to be what a reader knows the item by; else the item's JSON.
    static func preview(of item: Data) -> String {
        for name in names {
            let path = JSONPath(steps: [.key(Array(name.utf8))])
            guard let range = (try? JSONSplitter.range(of: path, in: item)) ?? nil else { continue }
            let bytes = Data(item.dropFirst(range.lowerBound).prefix(range.count))
            guard bytes.first == UInt8(ascii: "\""), let text = try? JSONDecoder().decode(String.self, from: bytes)
            else {
                continue
            }
            let line = Printable.line(withoutTags(text))
            if !line.isEmpty { return line }
        }
        return Printable.line(String(decoding: item.prefix(2000), as: UTF8.self))
    }

    private static let names = [
        "title", "full_name", "name", "text", "content", "summary", "subject", "message", "body", "description",
        "label",
        "login", "username", "headline",
    ]

    /// Text that is HTML, as far as a line of it needs: tags left out, the five usual entities undone.
    private static func withoutTags(_ text: String) -> String {
        guard text.contains("</") || text.contains("/>") || text.contains("<br") else { return text }
        var plain = ""
        var isTag = false
        for character in text {
            switch character {
            case "<":
                isTag = true
                plain += " "
            case ">" where isTag: isTag = false
            case _ where !isTag: plain.append(character)
            default: break
            }
        }
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
            plain = plain.replacing(entity, with: character)
        }
        return plain
    }
}
