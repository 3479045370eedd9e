#if os(Linux)
    import CNetlink

    /// Reads what the kernel sends over a netlink socket. Bounds are checked: cut or odd bytes end the reading.
    enum NetlinkMessages {
        enum Ending {
            /// More messages follow.
            case goesOn
            case done
            case failed
        }

        /// Takes in all messages of one datagram that answer the request of that number.
        static func read(
            _ datagram: UnsafeRawBufferPointer, sequence: UInt32, into network: inout LinuxNetwork
        ) -> Ending {
            var rest = datagram[...]
            while let header = load(nlmsghdr.self, from: rest) {
                let length = Int(header.nlmsg_len)
                guard length >= MemoryLayout<nlmsghdr>.size, length <= rest.count else { return .failed }
                let payload = rest.prefix(length).dropFirst(MemoryLayout<nlmsghdr>.size)
                rest = rest.dropFirst(aligned(length))
                guard header.nlmsg_seq == sequence else { continue }
                switch Int32(header.nlmsg_type) {
                case NLMSG_DONE: return .done
                case NLMSG_ERROR: return .failed
                default: take(payload, type: Int(header.nlmsg_type), into: &network)
                }
            }
            return .goesOn
        }

        private static func take(
            _ payload: Slice<UnsafeRawBufferPointer>, type: Int, into network: inout LinuxNetwork
        ) {
            if type == Int(RTM_NEWLINK), let link = load(ifinfomsg.self, from: payload) {
                network.note(interfaceFlags: link.ifi_flags)
            } else if type == Int(RTM_NEWROUTE), let route = load(rtmsg.self, from: payload) {
                let attributes = payload.dropFirst(aligned(MemoryLayout<rtmsg>.size))
                network.note(
                    LinuxNetwork.Route(
                        type: route.rtm_type, table: route.rtm_table, origin: route.rtm_protocol,
                        destinationBits: route.rtm_dst_len, flags: route.rtm_flags,
                        hasGateway: hasGateway(attributes)))
            }
        }

        private static func hasGateway(_ attributes: Slice<UnsafeRawBufferPointer>) -> Bool {
            let gateways = [RTA_GATEWAY, RTA_VIA, RTA_MULTIPATH, RTA_NH_ID].map { UInt16($0.rawValue) }
            var rest = attributes
            while let attribute = load(rtattr.self, from: rest) {
                let length = Int(attribute.rta_len)
                guard length >= MemoryLayout<rtattr>.size, length <= rest.count else { return false }
                if gateways.contains(attribute.rta_type) { return true }
                rest = rest.dropFirst(aligned(length))
            }
            return false
        }

        private static func load<Header: BitwiseCopyable>(
            _ type: Header.Type, from bytes: Slice<UnsafeRawBufferPointer>
        ) -> Header? {
            guard bytes.count >= MemoryLayout<Header>.size else { return nil }
            return UnsafeRawBufferPointer(rebasing: bytes).loadUnaligned(as: type)
        }

        /// Messages and attributes begin at multiples of four.
        private static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
    }
#endif
