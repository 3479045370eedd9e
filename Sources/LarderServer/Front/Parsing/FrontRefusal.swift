/// Why a request is not taken: the status to answer, and one sentence for whoever sent it.
///
/// After it nothing can be known of where the next request would begin, so the connection is closed.
package struct FrontRefusal: Error, Sendable, Hashable {
    package let status: Int
    package let reason: String

    init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}
