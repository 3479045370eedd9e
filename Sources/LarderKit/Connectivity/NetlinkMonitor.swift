#if os(Linux)
    import CNetlink
    import Dispatch
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif
    import Synchronization

    /// Watches the network the kernel shows to the thread that makes it (rtnetlink(7)): a word that something changed is
    /// reason to look at all of it anew.
    final class NetlinkMonitor: Sendable {
        private let source: Mutex<any DispatchSourceRead>

        /// Looks once, then goes on until the object is gone. `nil` where netlink is not allowed, as in some sandboxes.
        init?(_ relay: ConnectivityRelay) {
            let groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE
            // Told of changes before the first look, so that none is missed.
            guard let news = NetlinkSocket(groups: UInt32(groups)), let tables = NetlinkSocket(),
                let network = tables.look()
            else { return nil }
            relay.publish(network.connectivity)
            let source = DispatchSource.makeReadSource(
                fileDescriptor: news.descriptor, queue: DispatchQueue(label: "larder.connectivity", qos: .utility))
            source.setEventHandler { [weak relay] in
                news.drain()
                relay?.publish(tables.look()?.connectivity ?? .unknown)
            }
            // The sockets are closed with the last of these.
            source.setCancelHandler { withExtendedLifetime((news, tables)) {} }
            source.activate()
            self.source = Mutex(source)
        }

        deinit { source.withLock { $0.cancel() } }
    }

    /// A netlink socket, closed with the object. Each belongs to the network of the thread that opened it.
    final class NetlinkSocket: Sendable {
        let descriptor: Int32

        /// - Parameter groups: What to be told of (`RTMGRP_…`).
        init?(groups: UInt32 = 0) {
            descriptor = larder_netlink_open(groups)
            if descriptor < 0 { return nil }
        }

        deinit { close(descriptor) }

        /// Throws away what has come. Also where the kernel had more to say than there was room for (`ENOBUFS`): what
        /// counts is looked at.
        func drain() {
            withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 8) { buffer in
                while true {
                    let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                    if count < 0, errno != ENOBUFS, errno != EINTR { return }
                }
            }
        }

        /// What the kernel's tables say now; `nil` when it does not tell. To be called by one at a time.
        func look() -> LinuxNetwork? {
            var network = LinuxNetwork()
            for (number, table) in [RTM_GETLINK, RTM_GETROUTE].enumerated() {
                guard read(UInt16(table), sequence: UInt32(number + 1), into: &network) else { return nil }
            }
            return network
        }

        private func read(_ table: UInt16, sequence: UInt32, into network: inout LinuxNetwork) -> Bool {
            drain()
            guard larder_netlink_ask(descriptor, table, sequence) == 0 else { return false }
            return withUnsafeTemporaryAllocation(byteCount: 32_768, alignment: 8) { buffer in
                while true {
                    let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { return false }
                    let datagram = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                    switch NetlinkMessages.read(datagram, sequence: sequence, into: &network) {
                    case .goesOn: continue
                    case .done: return true
                    case .failed: return false
                    }
                }
            }
        }
    }
#endif
