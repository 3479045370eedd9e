import Foundation
import LarderKit

/// A place in the list as text that needs no session: the mark above it, and the version at which it was given out.
struct ServedCursor: Sendable, Hashable {
    /// `nil` for the top of the list.
    let mark: Int?
    let version: Int

    init(mark: Int?, version: Int) {
        self.mark = mark
        self.version = version
    }

    /// The cursor that a text says, or `nil` if it is none.
    init?(_ text: String) {
        guard let data = Data(base64Encoded: text) else { return nil }
        let words = String(decoding: data, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 4, words[0] == "after", words[2] == "at", let version = Int(words[3]) else { return nil }
        if words[1] == "top" {
            mark = nil
        } else {
            guard let number = Int(words[1]) else { return nil }
            mark = number
        }
        self.version = version
    }

    /// Opaque, as real ones are, with characters that a URL must escape.
    var text: String {
        Data("after \(mark.map { String($0) } ?? "top") at \(version)".utf8).base64EncodedString()
    }
}

/// Where the server is, and where a link to go on with leads.
enum ServedLink {
    private static let home = "api.example.test"
    private static let elsewhere = "elsewhere.example.test"

    /// Where a request goes: by its link as it is, or else to the feed with what is asked for as its query.
    static func url(of request: PageRequest) -> URL? {
        if case .link(let target) = request.continuation { return URL(string: target) }
        return feed(at: home, request.queryItems()).url
    }

    static func target(_ cursor: ServedCursor, isForeign: Bool) -> String? {
        feed(at: isForeign ? elsewhere : home, [URLQueryItem(name: "cursor", value: cursor.text)]).string
    }

    /// The text of the cursor in a link of this server: the link is `nil` for a target that is not of its feed, and its
    /// cursor for the first page.
    static func cursor(in target: String) -> String?? {
        guard let parts = URLComponents(string: target) else { return nil }
        let feed = feed(at: home)
        guard parts.scheme == feed.scheme, parts.host == feed.host, parts.path == feed.path else { return nil }
        return .some(parts.queryItems?.first { $0.name == "cursor" }?.value)
    }

    private static func feed(at host: String, _ query: [URLQueryItem] = []) -> URLComponents {
        var parts = URLComponents()
        parts.scheme = "https"
        parts.host = host
        parts.path = "/feed"
        if !query.isEmpty { parts.queryItems = query }
        return parts
    }
}
