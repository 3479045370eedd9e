#if os(Linux)
    import LarderTestKit
    import Testing

    @testable import LarderKit

    @Suite struct LinuxNetworkTests {
        private typealias Route = LinuxNetwork.Route

        // Up, loopback and running are bits 0, 3 and 6 of an interface's flags (netdevice(7), if.h).
        private static let up: UInt32 = 0x41

        @Test(arguments: [
            (flags: up, carries: true),
            (flags: 0x11043, carries: true),
            (flags: 0x01, carries: false),
            (flags: 0x40, carries: false),
            (flags: 0x49, carries: false),
            (flags: 0x00, carries: false),
        ])
        func `an interface counts when it is up, running and no loopback`(flags: UInt32, carries: Bool) {
            #expect(LinuxNetwork.carriesTraffic(flags: flags) == carries)
        }

        @Test func `no link is offline, a link that leads nowhere suspect, a route beyond online`() {
            var network = LinuxNetwork()
            network.note(Route(destinationBits: 0))
            #expect(network.connectivity == .offline)
            network = LinuxNetwork()
            network.note(interfaceFlags: 0x49)
            #expect(network.connectivity == .offline)
            network.note(interfaceFlags: Self.up)
            network.note(interfaceFlags: 0x00)
            #expect(network.connectivity == .suspect)
            network.note(Route(destinationBits: 24))
            #expect(network.connectivity == .suspect)
            network.note(Route(destinationBits: 0))
            network.note(Route(destinationBits: 24))
            #expect(network.connectivity == .online)
        }

        // Numbers as in rtnetlink.h: of types 1 is unicast, 2 local, 7 unreachable; of tables 255 is local; of makers 2 is
        // the kernel, 3 who started the machine, 4 an administrator, 9 an advertisement.
        @Test(
            arguments: [
                (Route(destinationBits: 0), true), (Route(origin: 9, destinationBits: 0), true),
                (Route(destinationBits: 24), false), (Route(origin: 9, destinationBits: 64), false),
                (Route(destinationBits: 24, hasGateway: true), true), (Route(origin: 3, destinationBits: 8), true),
                (Route(origin: 4, destinationBits: 1), true), (Route(type: 7, destinationBits: 0), false),
                (Route(type: 2, table: 255, destinationBits: 32), false),
                (Route(table: 255, origin: 3, destinationBits: 8), false),
                (Route(destinationBits: 0, flags: 1), false), (Route(destinationBits: 0, flags: 16), false),
                (Route(destinationBits: 0, flags: 4), true),
            ] as [(Route, Bool)])
        private func `a route leads beyond the link by default, by gateway, or because somebody said so`(
            route: Route, leadsBeyond: Bool
        ) {
            #expect(route.leadsBeyond == leadsBeyond)
        }

        // MARK: Messages

        /// A netlink message as the kernel lays it out.
        private func message(_ type: UInt16, sequence: UInt32 = 7, _ payload: [UInt8]) -> [UInt8] {
            bytes(UInt32(16 + payload.count)) + bytes(type) + bytes(UInt16(0)) + bytes(sequence) + bytes(UInt32(0))
                + payload + [UInt8](repeating: 0, count: -payload.count & 3)
        }

        private func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            withUnsafeBytes(of: number) { Array($0) }
        }

        private func link(flags: UInt32) -> [UInt8] {
            message(16, [UInt8](repeating: 0, count: 8) + bytes(flags) + bytes(UInt32(0)))
        }

        private func route(bits: UInt8, attributes: [UInt8] = []) -> [UInt8] {
            message(24, [2, bits, 0, 0, 254, 2, 0, 1] + bytes(UInt32(0)) + attributes)
        }

        private func read(_ datagram: [UInt8]) -> (network: LinuxNetwork, ending: NetlinkMessages.Ending) {
            var network = LinuxNetwork()
            let ending = datagram.withUnsafeBytes { NetlinkMessages.read($0, sequence: 7, into: &network) }
            return (network, ending)
        }

        @Test func `interfaces and routes are read from one datagram`() {
            let gateway = bytes(UInt16(8)) + bytes(UInt16(5)) + [192, 0, 2, 2]
            let priority = bytes(UInt16(5)) + bytes(UInt16(6)) + [1, 0, 0, 0]
            #expect(read(link(flags: 0x49) + link(flags: Self.up)).network.connectivity == .suspect)
            #expect(read(link(flags: Self.up) + route(bits: 0)).network.connectivity == .online)
            #expect(read(link(flags: Self.up) + route(bits: 24)).network.connectivity == .suspect)
            let beyond = link(flags: Self.up) + route(bits: 24, attributes: priority + gateway)
            #expect(read(beyond).network.connectivity == .online)
            #expect(read(beyond).ending == .goesOn)
            #expect(read(message(3, []) + link(flags: Self.up)).network.connectivity == .offline)
            #expect(read(message(3, [])).ending == .done)
            #expect(read(message(2, bytes(Int32(-1)))).ending == .failed)
        }

        @Test func `what answers another question is passed over`() {
            let other = message(16, sequence: 6, [UInt8](repeating: 0xFF, count: 16)) + message(3, sequence: 6, [])
            #expect(read(other + link(flags: Self.up)).network.connectivity == .suspect)
        }

        @Test func `cut and odd bytes are read without harm`() {
            let whole = link(flags: Self.up) + route(bits: 24, attributes: bytes(UInt16(8)) + bytes(UInt16(5)))
            for count in 0...whole.count { _ = read(Array(whole.prefix(count))) }
            #expect(read(message(16, [1, 2, 3])).network.connectivity == .offline)
            #expect(read(bytes(UInt32(0)) + [UInt8](repeating: 0, count: 12)).ending == .failed)
            var random = SplitMix64(seed: 1)
            for _ in 0..<2000 {
                var odd = whole
                for _ in 0..<4 {
                    odd[Int(random.next() % UInt64(odd.count))] = UInt8(truncatingIfNeeded: random.next())
                }
                _ = read(odd)
            }
        }
    }
#endif
