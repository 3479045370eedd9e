public import LarderKit
import Synchronization

public import struct Foundation.Data

/// The body of an answer: bytes that are there, or that come piece by piece. One consumer.
public struct HTTPBody: Sendable {
    private let source: Source

    private enum Source: Sendable {
        case whole(OnceData)
        case pieces(any BodySource)
    }

    /// The bytes where all of them are there already.
    public let data: Data?

    init(_ data: Data) {
        self.data = data
        source = .whole(OnceData(data))
    }

    init(_ source: any BodySource) {
        data = nil
        self.source = .pieces(source)
    }

    /// The next bytes, or `nil` at the end.
    ///
    /// - Throws: Where less comes than was due. What was handed out is not the whole body then.
    public func next() async throws(FetchFailure) -> Data? {
        switch source {
        case .whole(let data): data.take()
        case .pieces(let source): try await source.next()
        }
    }

    /// Nobody wants the rest.
    public func abandon() {
        switch source {
        case .whole(let data): _ = data.take()
        case .pieces(let source): source.abandon()
        }
    }

    /// The whole body.
    ///
    /// - Parameter limit: In bytes; a larger body fails as `FetchFailure.Kind.wrongAnswer`.
    public func collect(upTo limit: Int = .max) async throws(FetchFailure) -> Data {
        if let data, data.count <= limit { return data }
        var whole = Data()
        while let piece = try await next() {
            guard whole.count + piece.count <= limit else {
                abandon()
                throw FetchFailure(.wrongAnswer, "the body is larger than \(limit) bytes")
            }
            whole.append(piece)
        }
        return whole
    }
}

/// Where pieces of a body come from.
protocol BodySource: Sendable {
    func next() async throws(FetchFailure) -> Data?
    func abandon()
}

extension BodyPipe: BodySource {}

private final class OnceData: Sendable {
    private let data: Mutex<Data?>

    init(_ data: Data) { self.data = Mutex(data.isEmpty ? nil : data) }

    func take() -> Data? { data.withLock { $0.take() } }
}
