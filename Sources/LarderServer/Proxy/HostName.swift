import Foundation

/// The hosts of requests and origins, in small letters and without a port. Addresses of the sixth version have their brackets.
enum HostName {
    static func of(authority: String) -> String {
        let bytes = authority.utf8
        let end =
            if bytes.first == UInt8(ascii: "[") {
                bytes.firstIndex(of: UInt8(ascii: "]")).map { bytes.index(after: $0) }
            } else {
                bytes.firstIndex(of: UInt8(ascii: ":"))
            }
        return authority[..<(end ?? authority.endIndex)].lowercased()
    }

    /// - Parameter origin: Scheme, authority and perhaps a path.
    static func of(origin: String) -> String {
        let pieces = origin.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return of(authority: pieces.count < 3 ? "" : String(pieces[2]))
    }

    /// Whether it is this machine for every resolver. A name that merely begins like an address of it, such as `127.a.test`, is not.
    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        if host.hasPrefix("[") { return isLoopback(address: String(host.dropFirst().dropLast())) }
        return isLoopback(address: host)
    }

    /// - Parameter address: In digits.
    static func isLoopback(address: String) -> Bool {
        var (fourth, sixth) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, address, &fourth) == 1 { return UInt32(bigEndian: fourth.s_addr) >> 24 == 127 }
        guard inet_pton(AF_INET6, address, &sixth) == 1 else { return false }
        return withUnsafeBytes(of: sixth) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
    }
}
