package import LarderKit

package import struct Foundation.Date

/// A stored answer as the rules see it: everything but the bytes of its body.
package struct StoredAnswer: Sendable, Hashable {
    package var status: Int
    package var reason: String
    /// As they are to be sent, without what concerns one connection only (RFC 9111 section 3.1).
    package var headers: HeaderFields
    /// The request fields that selected it, as the answer's `Vary` names them (RFC 9111 section 4.1).
    package var variant: Variant
    /// When its request was sent and when its head came, by this cache's clock (RFC 9111 section 4.2.3). A 304 that
    /// freshened it counts.
    package var requestedAt: Date
    package var receivedAt: Date
    /// How many bytes of its body are stored.
    package var size: Int
    /// Which part of the whole they are; `nil` for the whole (RFC 9111 section 3.3).
    package var part: Part?
    /// An unsafe request has settled that it may have changed (RFC 9111 section 4.4): it is validated before it is used.
    package var isInvalidated = false
    /// It is here by an ``OfflineRule`` only: the RFC forbids to store it.
    package var isKeptByRule = false
    /// A request with `Authorization` brought it, or fields of it (RFC 9111 section 3.5).
    package var isOfAuthorised = false
    /// The client that alone may have it from a shared cache, since it sets cookies; `nil` for all.
    package var client: String?

    package init(
        status: Int, reason: String = "", headers: HeaderFields, variant: Variant = Variant(), requestedAt: Date,
        receivedAt: Date, size: Int, part: Part? = nil
    ) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.variant = variant
        self.requestedAt = requestedAt
        self.receivedAt = receivedAt
        self.size = size
        self.part = part
    }

    /// A part of a body: the bytes `first...last` of `total`, which may be unknown.
    package struct Part: Sendable, Hashable {
        package var first: Int
        package var last: Int
        package var total: Int?

        package init(first: Int, last: Int, total: Int?) {
            self.first = first
            self.last = last
            self.total = total
        }
    }
}

/// What of a request selected an answer: each field that its `Vary` names, normalised, or that it was not there.
package struct Variant: Sendable, Hashable {
    package struct Field: Sendable, Hashable {
        /// In small letters.
        package let name: String
        /// Normalised; `nil` where the request has no such field.
        package let value: String?

        package init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }

    /// By name, each once.
    package let fields: [Field]

    package init(_ fields: [Field] = []) {
        self.fields = fields
    }
}
