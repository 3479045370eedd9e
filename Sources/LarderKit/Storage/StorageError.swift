public import Foundation
import LarderSQLite

/// Why something could not be read from or written to the disk. What was stored before is still there.
public struct StorageError: Error, Sendable {
    public enum Kind: Sendable, Hashable {
        /// Another process holds the cache for longer than the limit.
        case busy
        /// The disk is full.
        case full
        /// The value is larger than all that may be kept, or than what there is room for beside what is pinned.
        case overBudget
        /// The folder or file may not be read or written.
        case notPermitted
        /// The folder or file is missing, or is no folder where one is needed.
        case missing
        /// The file is not a database, or not a larder's.
        case notALarder
        /// A newer version wrote the file.
        case newerFormat
        /// The contents are damaged.
        case corrupt
        /// The larder has been closed.
        case closed
        case other
    }

    public let kind: Kind
    /// What happened, in one sentence without anything private but the path of the cache.
    public let explanation: String
    /// What to do about it, if that is known.
    public let nextStep: String?
    public let underlying: (any Error)?

    public init(_ kind: Kind, _ explanation: String, nextStep: String? = nil, underlying: (any Error)? = nil) {
        self.kind = kind
        self.explanation = explanation
        self.nextStep = nextStep
        self.underlying = underlying
    }

    static func corrupt(_ explanation: String) -> StorageError {
        StorageError(
            .corrupt, explanation,
            nextStep: "What is readable is kept when the cache is repaired: by itself soon, or by 'larder repair'.")
    }

    /// `error` as a storage error, whatever it was.
    static func wrapping(_ error: any Error) -> StorageError {
        switch error {
        case let error as StorageError: error
        case let error as SQLiteError: StorageError(error)
        case let error as CocoaError: StorageError(error)
        case is CancellationError:
            StorageError(.other, "the task was cancelled before this was done", underlying: error)
        default: StorageError(.other, "storing failed: \(type(of: error))", underlying: error)
        }
    }

    /// Whether the calling task was cancelled, and nothing is wrong with the disk.
    var isOfCancellation: Bool { underlying is CancellationError }

    static let closed = StorageError(
        .closed, "the larder has been closed", nextStep: "Open it again: handles made before stay closed.")

    private init(_ error: SQLiteError) {
        guard !error.isOfClosedDatabase else {
            self = .closed
            return
        }
        let kind: Kind =
            switch error.code.primary {
            case _ where error.isOfFullDisk: .full
            case .busy, .locked: .busy
            case .permission, .readOnly, .authorization: .notPermitted
            case .cannotOpen: .missing
            case .notADatabase: .notALarder
            // Larder's own statements break no rule of its tables unless what is in them contradicts itself.
            case .corrupt, .mismatch, .constraint: .corrupt
            default: .other
            }
        let explanation = "SQLite error \(error.code.rawValue) in \(error.operation.rawValue): \(error.message)."
        self.init(kind, explanation, nextStep: error.hint, underlying: error)
    }

    private init(_ error: CocoaError) {
        let kind: Kind =
            switch error.code {
            case .fileWriteOutOfSpace: .full
            case .fileReadNoPermission, .fileWriteNoPermission, .fileWriteVolumeReadOnly: .notPermitted
            case .fileNoSuchFile, .fileReadNoSuchFile: .missing
            default: .other
            }
        self.init(kind, "a file could not be read or written (\(error.code.rawValue))", underlying: error)
    }
}

extension StorageError: CustomStringConvertible, CustomReflectable, LocalizedError {
    public var description: String {
        nextStep.map { "\(explanation) \($0)" } ?? explanation
    }

    public var errorDescription: String? { description }

    /// Names the type of the underlying error alone: its own text may hold a value or a file's name.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "kind": kind, "explanation": explanation, "nextStep": nextStep as Any,
                "underlying": underlying.map { "\(type(of: $0))" } as Any,
            ], displayStyle: .struct)
    }
}
