import LarderKit

extension SimulatedFeedServer.Answer {
    /// A page, or word that it is what the request's validators say.
    init(
        _ page: ServedList.ServedPage, to request: PageRequest, version: Int, fault: SimulatedFeedServer.Fault?,
        hasETag: Bool
    ) {
        let etag = hasETag ? page.etag : nil
        let isUnchanged = etag != nil && request.validators?.etag == etag
        self.init(
            status: isUnchanged ? 304 : 200, items: isUnchanged ? [] : page.items, version: version,
            hasMore: page.hasMore, follows: isUnchanged ? .unchanged : page.follows, etag: etag, fault: fault)
    }

    init(_ refusal: ServedList.Refusal, version: Int, fault: SimulatedFeedServer.Fault?) {
        self.init(
            status: refusal.status, items: [], version: version, hasMore: false, follows: .unknown, etag: nil,
            fault: fault)
    }
}

extension ServedList.ServedPage {
    /// The same for the same items with the same word on whether more follows. Weak: a cursor changes with each version
    /// of the list, and that alone makes no other page.
    var etag: String {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        /// FNV-1a, each text with its end.
        func add(_ text: String) {
            for byte in Array(text.utf8) + [0xFF] { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        for item in items {
            add(item.id)
            add(item.text)
        }
        switch follows {
        case .more: add("more")
        case .nothing: add("nothing")
        case .unknown, .something, .unchanged: break
        }
        return #"W/"\#(String(sum, radix: 16))""#
    }
}
