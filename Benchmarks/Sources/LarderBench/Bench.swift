import CBaseline
import Foundation

/// What the works share: how to measure, where to say it, and a folder that goes at the end.
struct Bench {
    let meter: Meter
    let report: Report
    let folder: URL
    let library: Library

    var isQuick: Bool { meter.isQuick }

    init(meter: Meter, report: Report) throws {
        self.meter = meter
        self.report = report
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("larder-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        library = Library(folder: folder)
    }

    func cleanUp() {
        library.close()
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String) -> URL {
        folder.appendingPathComponent(name)
    }

    /// Removes what a work has left under `names`, `-wal` and the like included.
    func remove(_ names: String...) {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for file in all where names.contains(where: { file == $0 || file.hasPrefix($0 + "-") }) {
            try? FileManager.default.removeItem(at: path(file))
        }
    }
}

/// Feeds of posts that several works read, each filled when it is first asked for: ours, and the same by raw C.
final class Library {
    struct Posts {
        let count: Int
        let ours: FeedStore
        let raw: RawStore
    }

    private let folder: URL
    private var stores: [Int: Posts] = [:]

    init(folder: URL) {
        self.folder = folder
    }

    func posts(_ count: Int) async throws -> Posts {
        if let posts = stores[count] { return posts }
        let ours = try FeedStore(folder.appendingPathComponent("posts-\(count)"))
        try await ours.fill(baseline_post, count: count, page: 100)
        let raw = RawStore(folder.appendingPathComponent("posts-\(count).sqlite"))
        raw.fill(baseline_post, count: count)
        let posts = Posts(count: count, ours: ours, raw: raw)
        stores[count] = posts
        return posts
    }

    func close() {
        for posts in stores.values {
            posts.ours.close()
            posts.raw.close()
        }
        stores = [:]
    }
}

/// What the benchmarks cannot go on after.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Int {
    /// With commas between groups of three digits.
    var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }
}
