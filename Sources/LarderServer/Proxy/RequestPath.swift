/// Paths as requests give them, and whether they stay within what a route stands for.
enum RequestPath {
    /// What stands behind the beginning that a route has: nothing, or something that begins with a slash or a question mark. `nil` for
    /// another beginning: `/api` is not that of `/apitest`.
    static func rest(of path: String, behind beginning: String) -> Substring? {
        guard path.utf8.starts(with: beginning.utf8) else { return nil }
        let rest = path.utf8.dropFirst(beginning.utf8.count)
        guard let first = rest.first else { return path[rest.startIndex...] }
        return first == UInt8(ascii: "/") || first == UInt8(ascii: "?") ? path[rest.startIndex...] : nil
    }

    /// The path of an origin, without a slash at its end.
    static func of(origin: String) -> String {
        let pieces = origin.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return pieces.count < 4 ? "" : "/" + pieces[3]
    }

    /// Whether there are dots for segments, in one of the ways in which origins are known to read them: such a path may mean another to
    /// the origin, outside of what it begins with.
    static func hasDots(_ path: String) -> Bool {
        let path = path.prefix { $0 != "?" }
        guard path.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else { return false }
        let plain = path.lowercased()
            .replacing("%2e", with: ".").replacing("%2f", with: "/").replacing("%5c", with: "/").replacing(
                "%3b", with: ";")
        return plain.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains { segment in
            // What is behind a semicolon is dropped before dots are counted.
            [".", ".."].contains(segment.prefix { $0 != ";" })
        }
    }
}
