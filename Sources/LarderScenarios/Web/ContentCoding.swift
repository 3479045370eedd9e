import Foundation
import LarderKit

/// What a client makes of the content coding of an answer.
enum ContentCoding {
    /// The bytes once decoded; `nil` where they cannot be.
    static func decoded(_ outcome: HTTPOutcome) -> Data? {
        guard let body = outcome.body else { return nil }
        switch outcome.headers["Content-Encoding"]?.lowercased() {
        case nil, "identity": return body
        case "gzip", "x-gzip": return Inflate.gunzip(body)
        default: return nil
        }
    }

    static func isConsistent(_ outcome: HTTPOutcome) -> Bool {
        guard let body = outcome.body, decoded(outcome) != nil else { return false }
        if let length = outcome.headers["Content-Length"], length != String(body.count) { return false }
        let looksCoded = body.starts(with: [0x1F, 0x8B])
        return looksCoded == (outcome.headers["Content-Encoding"] != nil)
    }
}
