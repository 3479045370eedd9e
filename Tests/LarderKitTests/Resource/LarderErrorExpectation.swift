import LarderKit
import Testing

/// What a read threw, as far as a test compares it.
enum Refusal: Equatable, Sendable {
    case fetch(FetchFailure.Kind)
    case notStored
    /// With the kind of the failure, if the network was asked.
    case undecodable(FetchFailure.Kind?)
    case storage(StorageError.Kind)
    case signedOut
    case cancelled

    init(_ error: LarderError) {
        self =
            switch error {
            case .fetch(let failure): .fetch(failure.kind)
            case .notStored: .notStored
            case .undecodable(_, let failure): .undecodable(failure?.kind)
            case .storage(let error): .storage(error.kind)
            case .signedOut: .signedOut
            case .cancelled: .cancelled
            }
    }
}

/// Expects that `body` throws a ``LarderError`` of this kind.
func expect<R>(
    _ refusal: Refusal, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> R
) async {
    do {
        _ = try await body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    } catch let error as LarderError {
        #expect(Refusal(error) == refusal, sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, sourceLocation: sourceLocation)
    }
}
