#if os(Linux)
    import CNetlink
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// What the kernel's tables say about the network: whether there is a link, and whether a route leads beyond it.
    struct LinuxNetwork: Sendable, Hashable {
        private var hasLink = false
        private var leadsBeyond = false

        var connectivity: Connectivity {
            guard hasLink else { return .offline }
            return leadsBeyond ? .online : .suspect
        }

        /// Takes in an interface, by its flags.
        mutating func note(interfaceFlags flags: UInt32) {
            hasLink = hasLink || Self.carriesTraffic(flags: flags)
        }

        mutating func note(_ route: Route) {
            leadsBeyond = leadsBeyond || route.leadsBeyond
        }

        /// Whether the flags (netdevice(7)) are those of an interface that is up, has its link, and leaves this machine.
        static func carriesTraffic(flags: UInt32) -> Bool {
            let up = UInt32(IFF_UP)
            let running = UInt32(IFF_RUNNING)
            let loopback = UInt32(IFF_LOOPBACK)
            return flags & (up | running | loopback) == up | running
        }
    }

    extension LinuxNetwork {
        /// One line of a routing table (rtnetlink(7)), as far as it matters here.
        struct Route: Sendable, Hashable {
            var type = UInt8(RTN_UNICAST)
            var table = UInt8(RT_TABLE_MAIN.rawValue)
            /// Who made it.
            var origin = UInt8(RTPROT_KERNEL)
            /// How many bits of an address have to match: none for a default route.
            var destinationBits: UInt8
            var flags: UInt32 = 0
            var hasGateway = false

            /// Whether it leads further than to the neighbours on a link.
            var leadsBeyond: Bool {
                guard type == UInt8(RTN_UNICAST), table != UInt8(RT_TABLE_LOCAL.rawValue),
                    flags & UInt32(RTNH_F_DEAD | RTNH_F_LINKDOWN) == 0
                else { return false }
                // Tunnels need no gateway; whoever set a route by hand had something beyond in mind.
                let isSetByHand = origin == UInt8(RTPROT_BOOT) || origin == UInt8(RTPROT_STATIC)
                return destinationBits == 0 || hasGateway || isSetByHand
            }
        }
    }
#endif
