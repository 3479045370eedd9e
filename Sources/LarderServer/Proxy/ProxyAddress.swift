import Synchronization

/// By which names a proxy is asked for itself. Its port is known once it listens.
final class ProxyAddress: Sendable {
    private let hosts: Set<String>
    /// Whom it serves where it listens on this machine alone; `nil` where it listens to others.
    private let served: Set<String>?
    private let number = Atomic<UInt16>(0)

    /// - Parameters:
    ///   - address: Where it listens, in digits.
    ///   - served: The hosts that it is asked for beside its own names, in small letters.
    init(_ address: String, serving served: Set<String> = []) {
        let name = address.lowercased()
        hosts = ["localhost", "127.0.0.1", "[::1]", name.contains(":") ? "[\(name)]" : name]
        self.served = HostName.isLoopback(address: address) ? hosts.union(served) : nil
    }

    var port: UInt16 {
        get { number.load(ordering: .relaxed) }
        set { number.store(newValue, ordering: .relaxed) }
    }

    /// - Parameter authority: With or without a port.
    func isMeant(by authority: String) -> Bool {
        let host = HostName.of(authority: authority)
        let rest = authority.dropFirst(host.count)
        return hosts.contains(host) && (rest.isEmpty ? port == 80 : rest == ":\(port)")
    }

    /// Whether requests for this host are served.
    ///
    /// A web page can have its own name resolve to this machine, and would then be given what stands behind the proxy as its own. Its
    /// requests carry that name. A client of HTTP/1.0 that gives none is no browser.
    ///
    /// - Parameter authority: With or without a port.
    func serves(_ authority: String) -> Bool {
        guard let served, !authority.isEmpty else { return true }
        let host = HostName.of(authority: authority)
        return served.contains(host) || HostName.isLoopback(host)
    }
}
