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
    /// The partition was signed out of since the handle was made (``Partition/signOut()``).
    case signedOut
    /// The calling task was cancelled.
    case cancelled
}

extension LarderError {
    /// A storage error as a caller meets it: that their task was cancelled is no trouble with the disk.
    init(_ error: StorageError) {
        self = error.isOfCancellation ? .cancelled : .storage(error)
    }

    /// Whatever was thrown by what touches the disk.
    init(wrapping error: any Error) {
        switch error {
        case let error as LarderError: self = error
        case is SignedOut: self = .signedOut
        default: self.init(.wrapping(error))
        }
    }

    /// Why a flight brought nothing, in a partition that may have been signed out of.
    init(_ trouble: Flights.Trouble, in partition: PartitionState) {
        switch trouble {
        case _ where partition.isSignedOut: self = .signedOut
        case .cancelled: self = .cancelled
        case .circular: self = .fetch(.circular)
        }
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
        case .signedOut: "the partition was signed out of: make a new handle for who signs in"
        case .cancelled: "the task was cancelled"
        }
    }

    public var errorDescription: String? { description }
}
