import Foundation

/// What a raw answer says of the page behind it: by the value at a path, by a link in its header, or by a flag.
struct NextPage: Sendable, Hashable {
    var follows = PageFollowing.unknown
    /// The link leads to another origin than the answer came from.
    var isForeign = false

    init(_ answer: RawAnswer, json: JSONItems, kind: Paging.Kind) throws {
        switch kind {
        case .cursor:
            guard let path = json.next else {
                throw FetchFailure(.other, "a feed paged by cursor has to say where in an answer the cursor is")
            }
            follows = try Self.cursor(at: path, in: answer.body).map { .more(.cursor($0)) } ?? .nothing
        case .link:
            try takeLink(answer, path: json.next)
        case .item, .pageNumber, .offset:
            break
        }
        if let path = json.more, let says = try Self.flag(at: path, in: answer.body) {
            if !says { follows = .nothing } else if follows == .nothing || follows == .unknown { follows = .something }
        }
    }

    /// The link in the header; or, for servers that put it there, in the body.
    private mutating func takeLink(_ answer: RawAnswer, path: JSONPath?) throws {
        let reference: String?
        if let path {
            reference = try Self.cursor(at: path, in: answer.body)
        } else {
            let header = LinkHeader(answer.headers)
            reference = header.target(of: "next")
            // The link may have been in what could not be read.
            if reference == nil, header.isGarbled { return }
        }
        guard let reference else {
            follows = .nothing
            return
        }
        follows = .more(.link(reference))
        guard let page = answer.url else { return }
        do {
            follows = .more(.link(try ContinuationLink.resolve(reference, against: page).absoluteString))
        } catch {
            isForeign = true
        }
    }

    /// The text or number at a path; nothing there, `null` and an empty text are none.
    private static func cursor(at path: JSONPath, in body: Data) throws -> String? {
        guard let range = try JSONSplitter.range(of: path, in: body) else { return nil }
        let value = body.dropFirst(range.lowerBound).prefix(range.count)
        if value.first == ASCII.quote {
            let text = try JSONDecoder().decode(String.self, from: Data(value))
            return text.isEmpty ? nil : text
        }
        let text = String(decoding: value, as: UTF8.self)
        switch text {
        case "null", "false": return nil
        default: return text
        }
    }

    private static func flag(at path: JSONPath, in body: Data) throws -> Bool? {
        guard let range = try JSONSplitter.range(of: path, in: body) else { return nil }
        switch String(decoding: body.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self) {
        case "true": return true
        case "false": return false
        default: return nil
        }
    }
}
