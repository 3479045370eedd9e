import Foundation
import LarderKit
import LarderTestKit

/// The reader's side of a case: a cache on disk, opened and reopened, in a world whose time is the case's.
final class FeedWorld<Item: ReaderItem> {
    private let script: FeedScript
    private let origin: ScriptedOrigin
    private let clock = ManualClock()
    private let folder: URL
    private(set) var larder: Larder
    private(set) var feed: Feed<Item>

    init(_ script: FeedScript, origin: ScriptedOrigin) throws {
        self.script = script
        self.origin = origin
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("larder-scenario-\(UUID().uuidString)", isDirectory: true)
        (larder, feed) = try Self.open(folder, clock, script, origin)
    }

    /// Closes the cache and opens the folder again, as a new process would.
    func restart() throws {
        larder.close()
        (larder, feed) = try Self.open(folder, clock, script, origin)
    }

    /// Closes the cache and removes it.
    func end() {
        larder.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Sets the clock to so many seconds from the start.
    func setTime(_ seconds: Double) async {
        let step = Duration.seconds(seconds) - clock.elapsed
        await clock.advance(by: step)
        clock.set(wall: ManualClock.defaultStart + seconds)
    }

    func facts() async throws -> FeedFacts { try await FeedFacts(of: feed, in: larder) }

    private static func open(
        _ folder: URL, _ clock: ManualClock, _ script: FeedScript, _ origin: ScriptedOrigin
    ) throws -> (Larder, Feed<Item>) {
        let larder = try Larder(.folder(folder), environment: TestWorld(clock: clock).environment)
        let feed = larder.partition("reader").feed(
            "list", json: try script.envelope.json(),
            paging: script.paging.paging(script.rule, script.options), options: script.options.feed,
            decoding: Item.self, fetch: origin.fetch)
        return (larder, feed)
    }
}
