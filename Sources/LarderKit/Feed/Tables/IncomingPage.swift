import Foundation

/// A page on its way into the tables: what the algebra is told, and the bytes of each item by its place in the page.
struct IncomingPage: Sendable {
    var request: PageRequest
    let ids: [ItemID?]
    let bodies: PageBodies
    let follows: PageFollowing
    let codec: CodecID
    let stamp: Stamp
    /// When the answer came, in milliseconds since 1970.
    let storedAt: Int64
    var validators = Validators()
    /// What the server gave to go on with leads to another origin.
    var isForeign = false
    /// The item that the page goes on from was seen to stand right above it, by asking for the page above once more.
    var isAnchorChecked = false
    /// What stood around the items, if that is kept.
    var envelope: Data?
    /// How many items were left out, since the page was far larger than asked for.
    var leftOut = 0
}

/// The bytes of a page's items: ranges of one answer, or one value each.
enum PageBodies: Sendable {
    case ranges([Range<Int>], of: Data)
    case separate([Data])

    /// The number of all bytes.
    var size: Int {
        switch self {
        case .ranges(let ranges, _): ranges.reduce(0) { $0 + $1.count }
        case .separate(let values): values.reduce(0) { $0 + $1.count }
        }
    }

    func withBytes<R>(at index: Int, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        switch self {
        case .ranges(let ranges, let data):
            try data.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[ranges[index]])) }
        case .separate(let values):
            try values[index].withUnsafeBytes(body)
        }
    }
}
