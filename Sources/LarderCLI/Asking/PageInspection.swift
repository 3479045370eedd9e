import Foundation
import LarderKit

/// A look at an answer before the library takes it: whether the paths of the command line fit it, told in the command
/// line's words. What is no page at all is left to the library to judge.
struct PageInspection {
    /// How many items the page has.
    let count: Int

    /// - Throws: `wrongAnswer` when the items, or all of their ids, are not where they are said to be.
    init(_ answer: RawAnswer, json: JSONItems) throws(FetchFailure) {
        guard [200, 203].contains(answer.status) else {
            count = 0
            return
        }
        let items: [JSONItem]
        do throws(JSONSplitError) {
            items = try JSONSplitter.items(in: answer.body, at: json.items, id: json.id)
        } catch {
            guard let outline = error.outline else {
                count = 0
                return
            }
            throw FetchFailure(.wrongAnswer, Self.message(json.items, outline))
        }
        count = items.count
        if let first = items.first, items.allSatisfy({ $0.id == nil }) {
            let body = answer.body.dropFirst(first.range.lowerBound).prefix(first.range.count)
            throw FetchFailure(.wrongAnswer, Self.message(json.id, inItem: Data(body)))
        }
    }

    /// What an answer has nothing of that would lead on, as the object of a sentence; `nil` where it has, or says in words of its
    /// own that nothing follows.
    static func lackOfNext(in answer: RawAnswer, json: JSONItems, kind: PagingKind) -> String? {
        if let path = json.next {
            guard (try? JSONSplitter.range(of: path, in: answer.body)) ?? nil == nil else { return nil }
            return "nothing at --next " + (ShellWord.quoted(path.description) ?? "PATH")
        }
        return kind == .link && LinkHeader(answer.headers).links.isEmpty ? "no Link in its head" : nil
    }

    private static func message(_ path: JSONPath, _ outline: JSONOutline) -> String {
        let subject = path == .root ? "the answer is not an array" : "there is no array of items at \(path)"
        guard let array = outline.nearestArray, let word = ShellWord.quoted(array.description) else {
            return "\(subject): \(outline); say with --items PATH where they are"
        }
        return "\(subject): \(outline)" + (array == path ? "" : "; try --items \(word)")
    }

    /// Why no item has an id at `path`, from the shape of one of them.
    private static func message(_ path: JSONPath, inItem item: Data) -> String {
        let subject = "no item has an id at \(path)"
        do throws(JSONSplitError) {
            _ = try JSONSplitter.items(in: item, at: path, id: .root)
            return "\(subject): in the first item it is an array; name a string or a number with --id PATH"
        } catch {
            guard let outline = error.outline else { return "\(subject); name another with --id PATH" }
            let place = outline.path == .root ? "the first item" : "in the first item, \(outline.path)"
            if outline.path == path, outline.kind == .string {
                return "\(subject): \(place) is \(fault(at: path, of: item))"
            }
            let shape =
                outline.names.isEmpty ? "is \(outline.kind)" : "has the names \(outline.names.joined(separator: ", "))"
            return "\(subject): \(place) \(shape)\(advice(outline))"
        }
    }

    /// What is wrong with a text that is no id (``JSONSplitter/items(in:at:id:)``).
    private static func fault(at path: JSONPath, of item: Data) -> String {
        let range = (try? JSONSplitter.range(of: path, in: item)) ?? nil
        let cause = range?.count == 2 ? "an empty string" : "no valid text: it has half a surrogate pair in it"
        return "\(cause); name another with --id PATH"
    }

    private static func advice(_ outline: JSONOutline) -> String {
        let likely = ["id", "_id", "uuid", "guid", "key", "uri", "url", "slug", "number", "name"]
        let name =
            likely.first(where: outline.names.contains)
            ?? outline.names.first { $0.lowercased().hasSuffix("id") || $0.lowercased().hasSuffix("key") }
        guard let name else { return "; name what tells items apart with --id PATH" }
        let path = outline.path.appending(.key(Array(name.utf8)))
        return ShellWord.quoted(path.description).map { "; try --id \($0)" }
            ?? "; name what tells items apart with --id PATH"
    }
}

extension JSONSplitError {
    /// What stands where something else was looked for; `nil` for what is not JSON.
    fileprivate var outline: JSONOutline? {
        switch self {
        case .noSuchPath(_, let instead), .notAnArray(_, let instead): instead
        default: nil
        }
    }
}
