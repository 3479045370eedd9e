import Foundation
import LarderKit

/// What a watch sees, as it comes: a line each, for a person or as JSON.
struct WatchReport: Sendable {
    enum Event: Sendable {
        /// With the item, where it can be looked up.
        case inserted(ItemID, Data?)
        case updated(ItemID, Data?)
        case removed(ItemID)
        /// What came does not reach down to what was stored.
        case gap(Gap)
        case failed(Trouble)
        case warning(Note)
    }

    let isJSON: Bool

    func write(_ event: Event, at time: Date) throws(StreamFailure) {
        let terminal = Terminal.error
        if isJSON { try StandardStream.output.write(Self.object(event, at: time).bytes + Data("\n".utf8)) }
        switch event {
        case .failed(let trouble):
            try StandardStream.error.line(terminal.styled("larder feed: \(trouble.message)", .red))
        case .warning(let note):
            guard !isJSON else { return }
            try StandardStream.error.line(terminal.styled("larder feed: warning: \(note.message)", .yellow))
        case .inserted, .updated, .removed, .gap:
            guard !isJSON else { return }
            try StandardStream.output.line(Self.line(event, Terminal.output))
        }
    }

    static func line(_ event: Event, _ terminal: Terminal) -> String {
        func line(_ mark: String, _ id: ItemID, _ item: Data?, _ style: Terminal.Style) -> String {
            let text = item.flatMap { ItemLine.lines(for: [(id, $0)], width: terminal.width - 2).first }
            return terminal.styled(mark, style) + " " + (text ?? Printable.line(id.rawValue))
        }
        return switch event {
        case .inserted(let id, let item): line("+", id, item, .green)
        case .updated(let id, let item): line("~", id, item, .cyan)
        case .removed(let id): line("-", id, nil, .red)
        case .gap(let gap):
            terminal.styled("···", .yellow)
                + " a gap between \(Printable.line(gap.above.rawValue)) and \(Printable.line(gap.below.rawValue))"
        case .failed(let trouble): trouble.message
        case .warning(let note): note.message
        }
    }

    static func object(_ event: Event, at time: Date) -> JSONText {
        var members: [(name: String, value: JSONText)] = [("at", .timestamp(time))]
        switch event {
        case .inserted(let id, let item):
            members += [
                ("event", .string("inserted")), ("id", .string(id.rawValue)), ("item", item.json(JSONText.onOneLine)),
            ]
        case .updated(let id, let item):
            members += [
                ("event", .string("updated")), ("id", .string(id.rawValue)), ("item", item.json(JSONText.onOneLine)),
            ]
        case .removed(let id):
            members += [("event", .string("removed")), ("id", .string(id.rawValue))]
        case .gap(let gap):
            members += [
                ("event", .string("gap")), ("above", .string(gap.above.rawValue)),
                ("below", .string(gap.below.rawValue)),
            ]
        case .failed(let trouble):
            members += [
                ("event", .string("error")), ("kind", .string(trouble.kind)), ("message", .string(trouble.message)),
            ]
        case .warning(let note):
            members += [
                ("event", .string("warning")), ("kind", .string(note.kind)), ("message", .string(note.message)),
            ]
        }
        return .object(members)
    }
}
