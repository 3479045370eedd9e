public import Foundation

/// An answer as the server gave it: status, header fields, and the body's bytes.
///
/// The recommended thing for a fetch closure to bring back: Larder then judges the status and the content type, takes
/// validators and freshness from the headers, and keeps every byte.
public struct RawAnswer: Sendable, Hashable {
    public let status: Int
    public let headers: HeaderFields
    public let body: Data
    /// Where the answer came from in the end, which its links are relative to; `nil` when that is not known.
    public let url: URL?

    public init(status: Int = 200, headers: HeaderFields = [:], body: Data, url: URL? = nil) {
        self.url = url
        self.status = status
        self.headers = headers
        self.body = body
    }
}
