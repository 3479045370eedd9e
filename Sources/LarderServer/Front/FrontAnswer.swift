package import LarderHTTPCache

package import struct Foundation.Data

/// A whole answer, given at once.
package struct FrontAnswer: Sendable {
    package var head: FrontHead
    /// Fields of this answer alone: whole lines, each with its CRLF. Age, Cache-Status.
    package var extraFields: [UInt8]
    /// Not sent for HEAD, 204 and 304, and then counted all the same where the request was HEAD.
    package var body: Data
    /// A few words for the log.
    package var note: String?

    package init(head: FrontHead, extraFields: [UInt8] = [], body: Data = Data()) {
        self.head = head
        self.extraFields = extraFields
        self.body = body
    }

    package init(_ head: HTTPResponseHead, body: Data = Data()) {
        self.init(head: FrontHead(head), body: body)
    }
}
