package import Foundation
package import LarderKit

/// A request as a server received it. A plain value: what answers it can be tested without a socket.
package struct ServerRequest: Sendable, Hashable {
    package struct QueryItem: Sendable, Hashable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package let method: String
    /// The request target exactly as sent: path and query, or a whole URL when the client took the server for a proxy.
    package let target: String
    /// The path of ``target`` with its escapes undone; as sent where they do not make UTF-8.
    package let path: String
    /// The query of ``target`` in its order, decoded as a form does (`+` is a space).
    package let query: [QueryItem]
    package let headers: HeaderFields
    package let body: Data

    package init(method: String = "GET", target: String, headers: HeaderFields = [:], body: Data = Data()) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        let parts = Self.originForm(of: target).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first.map { Self.unescaped(String($0)) } ?? "/"
        query = parts.count < 2 ? [] : Self.queryItems(parts[1])
    }

    /// The values under `name` in the query, in order.
    package func queryValues(_ name: String) -> [String] {
        query.filter { $0.name == name }.map(\.value)
    }

    /// The path and query of a target, which may be a whole URL (RFC 9112 section 3.2.2).
    private static func originForm(of target: String) -> String {
        guard let scheme = target.range(of: "://"), !target.hasPrefix("/") else { return target }
        guard let path = target[scheme.upperBound...].firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
        return target[path] == "?" ? "/" + target[path...] : String(target[path...])
    }

    private static func queryItems(_ query: Substring) -> [QueryItem] {
        query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { unescaped(String($0).replacing("+", with: " ")) }
            return QueryItem(name: parts[0], value: parts.count < 2 ? "" : parts[1])
        }
    }

    private static func unescaped(_ text: String) -> String {
        text.removingPercentEncoding ?? text
    }
}
