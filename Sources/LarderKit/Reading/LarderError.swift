public import Foundation

/// Why there is nothing to show.
public enum LarderError: Error, Sendable {
    /// Nothing is stored, and the network gave nothing; or the server itself said that there is nothing to give.
    case fetch(FetchFailure)
    /// Nothing is stored, and the network was not to be asked.
    case notStored
    /// What is stored cannot be decoded, and the network gave nothing in its place.
    case undecodable(UndecodableValue, FetchFailure?)
    case storage(StorageError)
    /// The calling task was cancelled.
    case cancelled
}

extension LarderError {
    /// A storage error as a caller meets it: that their task was cancelled is no trouble with the disk.
    init(_ error: StorageError) {
        self = error.isOfCancellation ? .cancelled : .storage(error)
    }
}

extension LarderError: CustomStringConvertible, LocalizedError {
    public var description: String {
        switch self {
        case .fetch(let failure): failure.description
        case .notStored: "nothing is stored here yet"
        case .undecodable(let value, let failure):
            failure.map { "\(value), and asking again failed: \($0)" } ?? value.description
        case .storage(let error): error.description
        case .cancelled: "the task was cancelled"
        }
    }

    public var errorDescription: String? { description }
}
