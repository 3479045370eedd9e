#if os(Linux)
    import Foundation
    import LarderTestKit
    import Testing

    @testable import LarderKit

    /// Against the kernel, in networks of our own.
    @Suite(.timeLimit(.minutes(5)))
    struct NetlinkMonitorTests {
        private func makeNetwork() async throws -> NetworkNamespace {
            guard let network = await NetworkNamespace() else {
                try Test.cancel("needs root, network namespaces, and ip (iproute2)")
            }
            return network
        }

        /// Nothing is asked for: what comes next has to come by itself.
        private func expect(_ expected: Connectivity, _ states: inout AsyncStream<Connectivity>.AsyncIterator) async {
            var seen: [Connectivity] = []
            while let state = await states.next() {
                if state == expected { return }
                seen.append(state)
            }
            Issue.record("\(expected) did not come, but \(seen)")
        }

        @Test func `links and routes are told of as they come and go`() async throws {
            let network = try await makeNetwork()
            let relay = ConnectivityRelay(.unknown)
            let monitor = try #require(try await network.perform { NetlinkMonitor(relay) })
            #expect(relay.current == .offline)
            var states = relay.states().makeAsyncIterator()
            #expect(await states.next() == .offline)

            try await network.ip("link add v0 type veth peer name v1")
            try await network.ip("link set lo up")
            try await network.ip("link set v1 up")
            try await network.ip("link set v0 up")
            await expect(.suspect, &states)
            try await network.ip("address add 192.0.2.1/24 dev v0")
            try await network.ip("route add default via 192.0.2.2")
            await expect(.online, &states)
            try await network.ip("route delete default")
            await expect(.suspect, &states)
            try await network.ip("route add 198.51.100.0/24 via 192.0.2.2")
            await expect(.online, &states)
            try await network.ip("link set v0 down")
            await expect(.offline, &states)

            try await network.ip("link set v0 up")
            await expect(.suspect, &states)
            try await network.ip("-6 address add 2001:db8::1/64 dev v0 nodad")
            try await network.ip("-6 route add default via 2001:db8::2 dev v0")
            await expect(.online, &states)
            // The other end goes: the link has no carrier.
            try await network.ip("link set v1 down")
            await expect(.offline, &states)
            withExtendedLifetime(monitor) {}
        }

        @Test func `a monitor that is gone tells no more`() async throws {
            let network = try await makeNetwork()
            let relay = ConnectivityRelay(.unknown)
            var monitor = try await network.perform { NetlinkMonitor(relay) }
            #expect(monitor != nil)
            monitor = nil
            let other = ConnectivityRelay(.unknown)
            let later = try await network.perform { NetlinkMonitor(other) }
            #expect(later != nil)
            var states = other.states().makeAsyncIterator()
            try await network.ip("link add v0 type veth peer name v1")
            try await network.ip("link set v1 up")
            try await network.ip("link set v0 up")
            await expect(.suspect, &states)
            withExtendedLifetime(later) {}
            #expect(relay.current == .offline)
        }

        @Test func `more news than there is room for is no end of them`() async throws {
            let network = try await makeNetwork()
            let news = try #require(try await network.perform { NetlinkSocket(groups: 0x40) })
            try await network.ip("link add v0 type veth peer name v1")
            try await network.ip("link set v0 up")
            let routes = (0..<4000).map { "route add unreachable 10.0.\($0 / 256).\($0 % 256)/32" }
            let folder = try TestFolder()
            let file = folder.url("routes")
            try routes.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
            try await network.ip("-batch \(file.path)")

            var byte: UInt8 = 0
            #expect(recv(news.descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == -1)
            #expect(errno == ENOBUFS)
            news.drain()
            #expect(recv(news.descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == -1)
            #expect(errno == EAGAIN)
            try await network.ip("route add unreachable 10.1.0.0/16")
            #expect(recv(news.descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 1)
        }

        /// Case R01: there is a route, and nothing at its end.
        @Test func `a route with no answer is suspect when requests have failed`() async throws {
            let network = try await makeNetwork()
            try await network.ip("link add v0 type veth peer name v1")
            try await network.ip("link set v1 up")
            try await network.ip("link set v0 up")
            try await network.ip("address add 192.0.2.1/24 dev v0")
            try await network.ip("route add default via 192.0.2.2")
            try await network.ip("route add unreachable 198.51.100.0/24")

            let source = SystemConnectivity()
            var states = try await network.perform { source.states() }.makeAsyncIterator()
            await expect(.online, &states)
            let watch = NetworkWatch(environment: LarderEnvironment(clock: ManualClock(), connectivity: source))
            #expect(watch.current == .online)
            for _ in 0..<2 {
                let isConnected = try await network.perform { Self.connects(to: "198.51.100.1") }
                #expect(!isConnected)
                watch.note(RequestOutcome(.wrapping(URLError(.cannotConnectToHost))), of: "a")
            }
            #expect(source.current == .online)
            #expect(watch.current == .suspect)
        }

        private static func connects(to address: String) -> Bool {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var target = sockaddr_in()
            target.sin_family = sa_family_t(AF_INET)
            target.sin_port = UInt16(80).bigEndian
            inet_pton(AF_INET, address, &target.sin_addr)
            return withUnsafeBytes(of: &target) { bytes in
                guard let base = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
                return connect(descriptor, base, socklen_t(bytes.count)) == 0
            }
        }
    }
#endif
