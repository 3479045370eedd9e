internal import struct Foundation.Date

extension OfflineRule {
    /// The first of the rules that fits the URI.
    package static func first(of rules: [OfflineRule], for url: String) -> OfflineRule? {
        guard !rules.isEmpty, let key = HTTPRules.key(of: url) else { return nil }
        let pieces = key.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard pieces.count == 4 else { return nil }
        let path = "/" + pieces[3].prefix { $0 != "?" }
        return rules.first { $0.fits(authority: String(pieces[2]), path: path) }
    }

    /// - Parameters:
    ///   - authority: Host, and port unless it is the default, as in a key.
    func fits(authority: String, path: String) -> Bool {
        fits(authority: authority) && fits(path: path)
    }

    private func fits(authority: String) -> Bool {
        let pattern = host.lowercased()
        if pattern == "*" { return true }
        let name = Self.hasPort(pattern) ? authority[...] : Self.withoutPort(authority)
        if pattern.hasPrefix("*.") { return name.hasSuffix(pattern.dropFirst()) && name.count >= pattern.count }
        return name == pattern
    }

    private static func hasPort(_ authority: String) -> Bool {
        (authority.split(separator: "]").last ?? "").contains(":") && !authority.hasSuffix("]")
    }

    private static func withoutPort(_ authority: String) -> Substring {
        hasPort(authority) ? authority[..<(authority.lastIndex(of: ":") ?? authority.endIndex)] : authority[...]
    }

    /// A path that may mean another to the origin, with dots for segments, fits no pattern but that for all.
    private func fits(path: String) -> Bool {
        if self.path.isEmpty || self.path == "/" { return true }
        let segments = path.lowercased().replacing("%2e", with: ".").replacing("%2f", with: "/").split(separator: "/")
        guard path.hasPrefix(self.path), !segments.contains("."), !segments.contains("..") else { return false }
        return self.path.hasSuffix("/") || path.count == self.path.count
            || path.dropFirst(self.path.count).hasPrefix("/")
    }

    /// Whether it holds yet for what was received then.
    func holds(receivedAt: Date, now: Date) -> Bool {
        guard let limit else { return true }
        let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) * 1e-18
        return now.timeIntervalSince(receivedAt) <= seconds
    }
}
