/// How a request says where its body ends (RFC 9112 section 6).
package enum BodyFraming: Sendable, Hashable {
    case none
    case length(Int)
    case chunked
}

/// Of which form a request target is (RFC 9112 section 3.2). CONNECT's form is not taken.
package enum TargetForm: Sendable, Hashable {
    /// A path, perhaps with a query.
    case origin
    /// A whole URI.
    case absolute
    /// `*`, for OPTIONS.
    case asterisk
}

/// What a request's fields ask for, as far as it decides whether the plainest way of answering will do.
package struct RequestTraits: OptionSet, Sendable, Hashable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let range = RequestTraits(rawValue: 1 << 0)
    /// Any of If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range.
    package static let conditional = RequestTraits(rawValue: 1 << 1)
    package static let cacheControl = RequestTraits(rawValue: 1 << 2)
    package static let pragma = RequestTraits(rawValue: 1 << 3)
    package static let authorization = RequestTraits(rawValue: 1 << 4)
    package static let cookie = RequestTraits(rawValue: 1 << 5)
    package static let upgrade = RequestTraits(rawValue: 1 << 6)
    /// `Expect: 100-continue`, from a client of HTTP/1.1.
    package static let expectsContinue = RequestTraits(rawValue: 1 << 7)
}

/// Where a field stands in the bytes of a head. Offsets are small: heads are limited.
struct FieldPlace: Sendable, Hashable {
    let name: Range<Int32>
    /// Without the blanks around it.
    let value: Range<Int32>
}

/// The head of a request that has been found to mean one thing only: its bytes, and where its parts stand in them.
struct RequestHead: Sendable, Hashable {
    /// From the first byte of the request line to the end of the last field line.
    let bytes: [UInt8]
    let fields: [FieldPlace]
    let method: Range<Int>
    /// As written.
    let target: Range<Int>
    /// Path and query; of an absolute target the part behind the authority, which may be empty or lack the slash.
    let path: Range<Int>
    /// Whom the request is for: of an absolute target its authority, else the value of Host. Empty where neither is given,
    /// which only HTTP/1.0 may do.
    let authority: Range<Int>
    let form: TargetForm
    /// Of an absolute target: whether it says `https`.
    let isSecure: Bool
    /// 1 for HTTP/1.1 and what claims to be later, 0 for HTTP/1.0.
    let minorVersion: Int
    let traits: RequestTraits
    let framing: BodyFraming
    /// Whether the client can take another answer on this connection.
    let keepsAlive: Bool

    func name(_ field: FieldPlace) -> ArraySlice<UInt8> {
        bytes[Int(field.name.lowerBound)..<Int(field.name.upperBound)]
    }
    func value(_ field: FieldPlace) -> ArraySlice<UInt8> {
        bytes[Int(field.value.lowerBound)..<Int(field.value.upperBound)]
    }
}
