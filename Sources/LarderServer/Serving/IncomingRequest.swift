import Foundation
import LarderKit

/// A request while it arrives: made with its target, then given its head, then its body.
///
/// Owned by one connection of the daemon, which calls back for it on one thread at a time.
final class IncomingRequest {
    enum Step {
        case head
        case body
    }

    let target: String
    var step = Step.head
    var method = ""
    var headers = HeaderFields()
    var body = Data()

    /// The most a request may carry. A server for samples and pages has no use for uploads.
    static let bodyLimit = 16 * 1024 * 1024

    init(target: String) {
        self.target = target
    }

    /// Keeps a part of the body, or says that it is too much.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard body.count + bytes.count <= Self.bodyLimit else { return false }
        body.append(contentsOf: bytes)
        return true
    }

    var finished: ServerRequest {
        ServerRequest(method: method, target: target, headers: headers, body: body)
    }
}
