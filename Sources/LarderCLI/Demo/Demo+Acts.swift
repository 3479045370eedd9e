import Foundation
import LarderKit
import LarderServer

extension Demo {
    /// What was seen online, to hold the offline readings against.
    struct Seen {
        var shops = Data()
        /// Every post by its id, as it came.
        var posts: [ItemID: Data] = [:]
        var newest: [ItemID] = []

        mutating func add(_ page: FeedPage<Data>) {
            for entry in page.entries { posts[entry.id] = entry.item }
        }
    }

    func run() async throws {
        try narrator.say("A sample API at \(url), and a cache in a temporary folder.")
        var seen = Seen()
        try await visit(&seen)
        try await comeBackLate(&seen)
        try await goOffline(seen)
        try await catchUp(seen)
    }

    private func visit(_ seen: inout Seen) async throws {
        try narrator.heading("1. A first visit")
        let shops = try await shops.read()
        seen.shops = shops.value
        try narrator.claim("the shops, \(Units.size(shops.value.count)), \(facts(shops))", shops.source == .network)

        var page = try await timeline.page()
        seen.add(page.value)
        try narrator.claim(
            "the newest \(page.value.entries.count) posts \(facts(page))", page.value.entries.count == 20)
        for _ in 0..<2 {
            guard let oldest = page.value.oldest else { break }
            page = try await timeline.page(.older(than: oldest))
            seen.add(page.value)
            try narrator.claim(
                "\(page.value.entries.count) older ones \(facts(page))",
                page.source == .network && page.value.entries.count == 20)
        }
        let again = try await self.shops.read()
        try narrator.claim("the shops once more, \(facts(again))", again.source == .cache && !again.isStale)
    }

    private func comeBackLate(_ seen: inout Seen) async throws {
        try narrator.heading("2. Away for a while: 45 new posts")
        api.publish(45, now: Date())
        let page = try await timeline.page()
        seen.add(page.value)
        seen.newest = page.value.ids
        try narrator.claim("the newest \(page.value.entries.count) posts \(facts(page))", page.source == .network)
        let gaps = try timeline.gaps()
        try narrator.claim("25 posts were never fetched: one gap", gaps.count == 1)
        try await showTimeline()
        let fifteenth = page.value.ids.dropFirst(14).first ?? ItemID("")
        let rest = try await timeline.page(.older(than: fifteenth), policy: .cacheOnly).value
        try narrator.claim(
            "a page of 20 from the 15th on stops at the gap, with \(rest.entries.count) posts, and says so",
            rest.entries.count == 5 && !rest.isComplete)
    }

    private func goOffline(_ seen: Seen) async throws {
        try narrator.heading("3. The server is gone")
        stopServer()
        let shops = try await shops.read()
        try narrator.claim("the shops \(facts(shops))", shops.source == .cache && shops.value == seen.shops)
        let page = try await timeline.page()
        try narrator.claim(
            "the newest \(page.value.entries.count) posts \(facts(page))",
            page.source == .cache && page.failure?.kind == .offline && page.value.ids == seen.newest)
        let kept = try posts(timeline.timeline()?.value ?? Timeline())
        try narrator.claim(
            "all \(kept.count) posts are as they came, byte by byte", kept == seen.posts && kept.count == 80)
    }

    private func catchUp(_ seen: Seen) async throws {
        try narrator.heading("4. The server is back: 3 new posts")
        try restartServer()
        api.publish(3, now: Date())
        let before = exchanges.count
        let change = try await timeline.refresh()
        let asked = exchanges.dropFirst(before)
        let bytes = asked.map(\.bytes).reduce(0, +)
        try narrator.claim(
            "\(Units.count(asked.count, "request")) of \(Units.size(bytes)) brought \(change.inserted.count) new posts",
            asked.count == 1 && change.inserted.count == 3)
        let first = exchanges.first { $0.target.hasPrefix("/timeline") }?.bytes ?? 0
        try narrator.claim("less than half of a first page's \(Units.size(first))", bytes * 2 < first)
        let page = try await timeline.page(limit: 10, policy: .cacheOnly)
        try narrator.claim(
            "they join what was there: the newest 10 \(facts(page))",
            page.value.isComplete && Array(page.value.ids.dropFirst(3)) == Array(seen.newest.prefix(7)))
        try await showTimeline()
        try narrator.claim("the one gap is still told", try timeline.gaps().count == 1)
    }
}

extension Demo {
    private func facts(_ reading: Reading<some Sendable>) -> String {
        Report.Facts(reading).brief
    }

    /// The feed as a whole: its runs, and the gaps between them.
    private func showTimeline() async throws {
        for feed in try await larder.feeds() {
            for (index, run) in feed.runs.enumerated() {
                if index > 0 { try narrator.say("         ··· gap ···") }
                try narrator.say("      \(run.count) posts, \(run.newest) down to \(run.oldest)")
            }
        }
    }

    private func posts(_ rows: Timeline<Data>) -> [ItemID: Data] {
        var posts: [ItemID: Data] = [:]
        for case .item(let id, let post) in rows { posts[id] = post }
        return posts
    }
}
