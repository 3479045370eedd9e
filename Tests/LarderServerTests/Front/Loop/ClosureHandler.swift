import Foundation
import LarderHTTPCache
import LarderKit
import LarderServer
import Synchronization

/// Answers as a test says, and keeps what the front told about it.
final class ClosureHandler: FrontHandler {
    typealias AtOnce = @Sendable (FrontRequest) -> FrontAnswer?
    typealias Task = @Sendable (FrontRequest, FrontExchange) async -> Void

    let records: AsyncStream<FrontRecord>
    private let told: AsyncStream<FrontRecord>.Continuation
    private let atOnce: AtOnce
    private let task: Task

    /// - Parameter atOnce: Where it gives nothing, the task says which request it was.
    init(atOnce: @escaping AtOnce = { _ in nil }) {
        (records, told) = AsyncStream.makeStream()
        self.atOnce = atOnce
        task = { request, exchange in exchange.answer(.text("\(request.method) \(request.path)")) }
    }

    init(atOnce: @escaping AtOnce = { _ in nil }, _ task: @escaping Task) {
        (records, told) = AsyncStream.makeStream()
        self.atOnce = atOnce
        self.task = task
    }

    /// Answers everything at once.
    static var echo: ClosureHandler { ClosureHandler(atOnce: { .text("\($0.method) \($0.path)") }) }

    func answerAtOnce(_ request: FrontRequest) -> FrontAnswer? { atOnce(request) }
    func answer(_ request: FrontRequest, over exchange: FrontExchange) async { await task(request, exchange) }
    func didEnd(_ record: FrontRecord) { told.yield(record) }

    /// The next one.
    func record() async -> FrontRecord? { await records.first { _ in true } }
}

extension FrontAnswer {
    static func text(_ text: String, status: Int = 200, headers: HeaderFields = [:]) -> FrontAnswer {
        FrontAnswer(HTTPResponseHead(status: status, headers: headers), body: Data(text.utf8))
    }
}

extension HTTPFront {
    static func serving(
        _ handler: some FrontHandler, _ change: (inout FrontOptions) -> Void = { _ in }
    ) throws -> HTTPFront {
        var options = FrontOptions()
        // A test that shares two processors with a thousand others may be late.
        options.patience.head = .seconds(300)
        options.patience.body = .seconds(300)
        options.patience.write = .seconds(300)
        options.patience.lingering = .seconds(300)
        change(&options)
        return try HTTPFront(options: options, handler: handler)
    }
}

/// Something that happens once, to be waited for.
final class Happening: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func happen() { continuation.finish() }
    func wait() async { for await _ in stream {} }
}
