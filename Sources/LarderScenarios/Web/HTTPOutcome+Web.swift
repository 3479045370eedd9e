import Foundation
import LarderKit
import Synchronization

extension HTTPOutcome {
    /// An answer over HTTP. What the cache did is what its `Cache-Status` says (RFC 9211).
    init(_ status: Int, _ headers: HeaderFields, _ body: Data, interim: [Int] = []) {
        let facts = Self.facts(headers)
        self.status = status
        self.body = body
        // Also where the origin was asked first, and failed.
        let isStale = facts.contains { $0.hasPrefix("ttl=-") }
        let isConfirmed = facts.contains("fwd-status=304") && status != 304
        self.isStale = isStale
        source = facts.contains("hit") || isStale ? .cache : (isConfirmed ? .revalidated : .network)
        age = headers["Age"].flatMap { Int($0) }.map { .seconds($0) }
        // A proxy has no other way to say that nobody answered.
        failure = facts.contains("detail=origin-failed") ? "the proxy's own \(status)" : nil
        self.headers = headers
        self.interim = interim
    }

    /// No answer, or less of one than was due.
    init(_ failure: FetchFailure) {
        status = nil
        body = nil
        isStale = false
        source = nil
        age = nil
        self.failure = failure.explanation
    }

    /// The parameters of the nearest cache's member.
    private static func facts(_ headers: HeaderFields) -> [String] {
        let member = headers.values(of: "Cache-Status").last?.split(separator: ",").last ?? ""
        return member.split(separator: ";").dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

/// The statuses of interim answers, in order.
final class InterimLog: Sendable {
    private let state = Mutex<[Int]>([])

    var statuses: [Int] { state.withLock { $0 } }

    func note(_ status: Int) { state.withLock { $0.append(status) } }
}
