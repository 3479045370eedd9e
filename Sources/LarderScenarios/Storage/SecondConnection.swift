import Dispatch
import Foundation
import LarderSQLite

/// What another process does with the database meanwhile. It is a connection of its own, which to SQLite is the same: locks
/// are between connections.
final class SecondConnection: Sendable {
    enum Work: Sendable, Hashable {
        /// Holds the write lock, and has written something.
        case writing
        /// Holds the write lock.
        case locking
        /// Holds on to what the database was when it began to read.
        case reading

        init?(sql: String) {
            switch sql {
            case "BEGIN IMMEDIATE; INSERT ...": self = .writing
            case "BEGIN IMMEDIATE": self = .locking
            case "BEGIN; SELECT ...": self = .reading
            default: return nil
            }
        }
    }

    private let end = DispatchSemaphore(value: 0)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Begins, and returns when the lock is held.
    ///
    /// - Parameter seconds: When it ends by itself.
    init(_ work: Work, on path: String, holding seconds: Double) async throws {
        let database = try Database(.file(path))
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // A thread of its own: it blocks.
            DispatchQueue(label: "larder-scenarios.other-process").async { [end, hasEnded] in
                let hold: @Sendable () -> Void = {
                    continuation.resume()
                    _ = end.wait(timeout: .now() + seconds)
                }
                do {
                    switch work {
                    case .writing:
                        try database.writeSync { db in
                            try db.execute("CREATE TABLE IF NOT EXISTS other_process (number INTEGER)")
                            try db.execute("INSERT INTO other_process VALUES (1)")
                            hold()
                        }
                    case .locking: try database.writeSync { _ in hold() }
                    case .reading:
                        try database.read { db in
                            _ = try db.first("SELECT count(*) FROM sqlite_master") { try $0.int(0) }
                            hold()
                        }
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
                database.close()
                hasEnded.signal()
            }
        }
    }

    /// Lets go, if it has not yet, and returns when that is done.
    func stop() async {
        end.signal()
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "larder-scenarios.wait").async { [hasEnded] in
                hasEnded.wait()
                hasEnded.signal()
                continuation.resume()
            }
        }
    }
}
