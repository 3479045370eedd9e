import Foundation

/// Which origins a proxy asks, and which of its own paths or hosts each stands behind. Nothing else is ever asked.
///
/// ```
/// https://api.example.com            everything
/// /api=https://api.example.com/v2    what begins with /api/
/// api.local=https://api.example.com  what is asked of this host
/// ```
package struct OriginMap: Sendable, Hashable {
    package struct Route: Sendable, Hashable {
        /// In small letters, without a port; `nil` for all.
        package let host: String?
        /// What the path begins with, without the slash at its end; empty for all.
        package let path: String
        /// Scheme, authority and perhaps a path, without a slash at the end.
        package let origin: String
        /// Only a part of the origin is meant, or what is asked has another path there: see ``RequestPath/hasDots(_:)``.
        let isConfined: Bool

        init(host: String?, path: String, origin: String) {
            (self.host, self.path, self.origin) = (host, path, origin)
            isConfined = !path.isEmpty || !RequestPath.of(origin: origin).isEmpty
        }
    }

    /// In order of precedence: those that say more come first.
    package let routes: [Route]
    /// The hosts that are named: those of the origins, and those that have one of their own.
    let hosts: Set<String>

    /// - Throws: ``OriginMapError`` for what names no origin.
    package init(_ texts: [String]) throws(OriginMapError) {
        var routes: [Route] = []
        for text in texts { routes.append(try Self.route(text)) }
        for (index, route) in routes.enumerated()
        where routes[..<index].contains(where: { $0.host == route.host && $0.path == route.path }) {
            let place = route.host ?? (route.path.isEmpty ? "everything" : route.path)
            throw OriginMapError(text: texts[index], problem: "another one stands for \(place) already")
        }
        self.routes = routes.sorted { left, right in
            (left.host != nil ? 1 : 0, left.path.utf8.count) > (right.host != nil ? 1 : 0, right.path.utf8.count)
        }
        hosts = Set(routes.flatMap { [$0.host, HostName.of(origin: $0.origin)].compactMap(\.self) })
    }

    private static func route(_ text: String) throws(OriginMapError) -> Route {
        let isBare = text.hasPrefix("http://") || text.hasPrefix("https://")
        guard !isBare, let equals = text.firstIndex(of: "=") else {
            return Route(host: nil, path: "", origin: try origin(text))
        }
        let place = String(text[..<equals])
        let origin = try origin(String(text[text.index(after: equals)...]))
        if place.hasPrefix("/") {
            guard place.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !place.contains(where: { "?#".contains($0) })
            else { throw OriginMapError(text: text, problem: "the path before '=' must be one") }
            return Route(host: nil, path: place.trimmingSuffix("/"), origin: origin)
        }
        guard !place.isEmpty, place.utf8.allSatisfy({ (0x2D...0x7A).contains($0) && $0 != UInt8(ascii: "/") }) else {
            throw OriginMapError(text: text, problem: "before '=' stands neither a path nor a host")
        }
        guard HostName.of(authority: place) == place.lowercased() else {
            throw OriginMapError(
                text: text,
                problem: "a host before '=' has no port, and an address such as [::1] has brackets")
        }
        return Route(host: place.lowercased(), path: "", origin: origin)
    }

    private static func origin(_ text: String) throws(OriginMapError) -> String {
        guard let url = URL(string: text, encodingInvalidCharacters: false), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = url.host(), !host.isEmpty
        else { throw OriginMapError(text: text, problem: "an origin begins with http:// or https:// and names a host") }
        guard url.query() == nil, url.fragment() == nil, url.user() == nil else {
            throw OriginMapError(text: text, problem: "an origin has no user name, no query and no fragment")
        }
        return text.trimmingSuffix("/")
    }

    /// What is to be asked for a request, or `nil` where it is for none of these origins.
    ///
    /// - Parameters:
    ///   - authority: Whom the request is for, with or without a port.
    ///   - path: Path and query, beginning with a slash.
    package func url(authority: String, path: String) -> String? {
        let host = HostName.of(authority: authority)
        for route in routes {
            if let wanted = route.host, wanted != host { continue }
            guard let rest = RequestPath.rest(of: path, behind: route.path) else { continue }
            // The origin might take it for one that lies outside.
            if route.isConfined, RequestPath.hasDots(path) { return nil }
            // An origin that is a path is asked for that path, and not for the folder of its name.
            let isItself = rest.isEmpty || rest.hasPrefix("?")
            let isPath = !RequestPath.of(origin: route.origin).isEmpty
            return route.origin + (rest.hasPrefix("/") || isItself && isPath ? "" : "/") + rest
        }
        return nil
    }

    /// Whether an origin stands behind this very host, and not behind all.
    package func hasRoute(for authority: String) -> Bool {
        let host = HostName.of(authority: authority)
        return routes.contains { $0.host == host }
    }

    /// The URL of an absolute request target, if it is of one of these origins: for clients that use this as their proxy.
    package func url(absolute authority: String, isSecure: Bool, path: String) -> String? {
        let origin = "\(isSecure ? "https" : "http")://\(authority)"
        let isMeant = routes.contains { route in
            guard let url = URL(string: route.origin), let asked = URL(string: origin) else { return false }
            return url.scheme?.lowercased() == asked.scheme && url.host()?.lowercased() == asked.host()?.lowercased()
                && (url.port ?? Self.port(of: url)) == (asked.port ?? Self.port(of: asked))
                && Self.isWithin(RequestPath.of(origin: route.origin), path)
        }
        return isMeant ? origin + path : nil
    }

    private static func isWithin(_ part: String, _ path: String) -> Bool {
        part.isEmpty || RequestPath.rest(of: path, behind: part) != nil && !RequestPath.hasDots(path)
    }

    private static func port(of url: URL) -> Int { url.scheme?.lowercased() == "https" ? 443 : 80 }
}

/// What names no origin, and why.
package struct OriginMapError: Error, Sendable, Hashable, CustomStringConvertible {
    package let text: String
    package let problem: String

    /// Without what may be a password.
    package var description: String {
        text.contains("@")
            ? "an origin cannot be used: \(problem)" : "'\(text)' cannot be used as an origin: \(problem)"
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String {
        var text = self
        while text.last == suffix { text.removeLast() }
        return text
    }
}
