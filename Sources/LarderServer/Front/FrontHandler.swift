/// What answers the requests of a ``HTTPFront``.
package protocol FrontHandler: Sendable {
    /// Called on the loop's thread, and must not wait for anything.
    ///
    /// - Returns: The whole answer if it is at hand, else `nil`. Not asked for requests with a body.
    func answerAtOnce(_ request: FrontRequest) -> FrontAnswer?

    /// Called in a task of its own where there is no answer at once. The task is cancelled when the client goes away.
    ///
    /// It is to end the exchange. What it leaves open when it returns is cut, or answered 500 where nothing was said yet.
    func answer(_ request: FrontRequest, over exchange: FrontExchange) async

    /// Called on the loop's thread after each answer, also those that the front gave by itself, once the last byte was
    /// handed to the system or the connection was lost. Must not wait.
    func didEnd(_ record: FrontRecord)
}

extension FrontHandler {
    package func answerAtOnce(_ request: FrontRequest) -> FrontAnswer? { nil }
    package func didEnd(_ record: FrontRecord) {}
}
