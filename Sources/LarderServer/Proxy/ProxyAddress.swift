import Synchronization

/// By which names a proxy is asked for itself. Its port is known once it listens.
final class ProxyAddress: Sendable {
    private let hosts: Set<String>
    private let number = Atomic<UInt16>(0)

    init(_ address: String) {
        let name = address.lowercased()
        hosts = ["localhost", "127.0.0.1", "[::1]", name.contains(":") ? "[\(name)]" : name]
    }

    var port: UInt16 {
        get { number.load(ordering: .relaxed) }
        set { number.store(newValue, ordering: .relaxed) }
    }

    /// - Parameter authority: With or without a port.
    func isMeant(by authority: String) -> Bool {
        let text = authority.lowercased()
        let end =
            text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
        let host = text[..<(end ?? text.endIndex)]
        let rest = text[host.endIndex...]
        return hosts.contains(String(host)) && (rest.isEmpty ? port == 80 : rest == ":\(port)")
    }
}
