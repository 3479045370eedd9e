import Dispatch
import Foundation

/// Says that a cache's database may have been written to, by whatever process, for as long as the object lives.
///
/// The folder is watched, for the log beside the database comes and goes. Whatever is written within a hundredth of a second
/// is said once, and meanwhile nothing wakes. It says so too often rather than too seldom: own commits, checkpoints.
final class FolderWatch: Sendable {
    static let databaseName = "cache.sqlite"
    /// For how long what is written is gathered.
    static let rest = DispatchTimeInterval.milliseconds(10)

    private let source: FolderSource
    private let queue: DispatchQueue
    private let happened: @Sendable () -> Void

    /// Watches from now on. `nil` where that cannot be done.
    ///
    /// - Parameter happened: Called on a queue of its own, one call after the other; once to begin with.
    init?(_ folder: URL, _ happened: @escaping @Sendable () -> Void) {
        let queue = DispatchQueue(label: "larder.processes", qos: .utility)
        guard let source = FolderSource(folder, queue, happened) else { return nil }
        self.source = source
        self.queue = queue
        self.happened = happened
        wake()
    }

    /// Says so without anything having been written.
    func wake() { queue.async(execute: happened) }

    deinit { source.cancel() }
}
