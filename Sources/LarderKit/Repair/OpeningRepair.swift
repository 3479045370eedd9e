import Foundation
import LarderSQLite

/// What is done when a cache file cannot even be opened.
enum OpeningRepair {
    /// Opens, and where that fails for a damaged file that is a larder's by its own bytes, repairs it and opens again.
    static func open<R>(
        _ cache: CacheFiles?, _ options: LarderOptions, log: any LarderLog, _ body: () throws(StorageError) -> R
    ) throws(StorageError) -> R {
        do {
            return try body()
        } catch {
            guard let cache, options.damage == .repair, error.kind == .corrupt || error.kind == .notALarder,
                isOwn(cache)
            else { throw error }
            do {
                let report = try Repairer(cache: cache).run()
                // Another process may have been first.
                if report.outcome != .sound { log.note(report.event) }
            } catch let failure {
                log.note(.repairFailed(failure.kind))
                throw failure
            }
            return try body()
        }
    }

    /// Whether the file has our number in its header or our tables in its schema: any other is left alone.
    private static func isOwn(_ cache: CacheFiles) -> Bool {
        guard let connection = try? cache.open(), let file = try? connection.bytes(),
            let image = DatabaseImage(file: file, log: (try? cache.disk.read(cache.log.path)) ?? nil)
        else { return false }
        return image.applicationID == UInt32(Schema.applicationID)
            || image.schema.contains { $0.name.hasPrefix("larder_") }
    }
}
