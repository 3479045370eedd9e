import Foundation

/// A request as the server saw it.
struct AskedRequest: Sendable, Hashable {
    let url: String
    let isAuthorized: Bool

    /// A parameter of its query, or `nil`.
    func parameter(_ name: String) -> String? {
        URLComponents(string: url)?.queryItems?.first { $0.name == name }?.value
    }

    func count(_ name: String) -> Int? { parameter(name).flatMap { Int($0) } }

    /// Whether it went to another scheme, host or port than `base`. What cannot be read as a URL goes elsewhere.
    func isElsewhere(than base: String) -> Bool {
        guard let own = Origin(url), let home = Origin(base) else { return true }
        return own != home
    }

    /// Whether the two ask for the same: query items in any order, and a limit only where `expected` has one.
    func asks(for expected: String) -> Bool {
        if url == expected { return true }
        guard let own = URLComponents(string: url), let other = URLComponents(string: expected),
            Origin(url) == Origin(expected),
            own.path == other.path
        else { return false }
        let wanted = Set(other.queryItems ?? [])
        let isLimitNamed = wanted.contains { $0.name == "limit" }
        return Set((own.queryItems ?? []).filter { isLimitNamed || $0.name != "limit" }) == wanted
    }

    private struct Origin: Equatable {
        let scheme: String
        let host: String
        let port: Int

        init?(_ url: String) {
            guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
                let host = parts.host?.lowercased(), !host.isEmpty
            else { return nil }
            self.scheme = scheme
            self.host = host
            port = parts.port ?? (scheme == "https" ? 443 : 80)
        }
    }
}
