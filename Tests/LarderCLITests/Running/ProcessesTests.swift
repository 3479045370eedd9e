import Foundation
import LarderKit
import LarderSQLite
import LarderServer
import Testing

/// Several processes on one cache, and processes that die.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProcessesTests {
    let scratch: Scratch
    let cache: String
    let sample = SampleAPI(.init(posts: 100), start: Date(timeIntervalSince1970: 1_700_000_000))

    init() throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
    }

    private func feed(_ url: String, _ position: [String] = [], _ options: [String] = []) -> [String] {
        ["feed", "--json", "--order", "decimal", "--limit", "10", "--cache", cache] + options + [url] + position
    }

    @Test func processesAtOnceOnANewCacheAllDoTheirWork() async throws {
        let server = try sample.serve()
        let runs = try (1...4).map { try Tool.start(["get", "--cache", cache, server.url + "/shops/\($0)"]) }
        let pages = try (1...4).map { _ in try Tool.start(feed(server.url + "/timeline")) }
        for run in runs + pages {
            let end = try await run.end()
            #expect(end.code == 0, "\(end.error)")
            #expect(!end.error.contains("warning"), "\(end.error)")
        }
        server.stop()
        for shop in 1...4 {
            let kept = try await Tool.run("get", "--offline", "--cache", cache, server.url + "/shops/\(shop)")
            #expect(kept.code == 0)
        }
        let kept = try await Tool.start(feed(server.url + "/timeline", [], ["--offline"])).end()
        #expect((try kept.object()["ids"] as? [String])?.count == 10)
    }

    @Test func whatAnotherProcessStoresShowsInTheMark() async throws {
        let server = try sample.serve()
        func get(_ shop: Int) async throws {
            let run = try await Tool.run("get", "--cache", cache, server.url + "/shops/\(shop)")
            #expect(run.code == 0, "\(run.error)")
        }
        try await get(1)
        let database = try Database(.file(cache + "/cache.sqlite"))
        var marks: Set<CommitMark> = [database.commitMark]
        for shop in 2...4 {
            try await get(shop)
            #expect(marks.insert(database.commitMark).inserted)
        }
        database.close()
        server.stop()
    }

    /// A process is killed while it waits for a page, another once it has been sent the page, which is somewhere in its
    /// storing: what was stored before is read all the same, and the walk goes on.
    @Test func aKilledWalkLosesNothingThatWasStored() async throws {
        let (waiting, continuation) = AsyncStream.makeStream(of: Void.self)
        let sample = sample
        let hold = Hold()
        let api = try StubAPI { request in
            if hold.isOn {
                continuation.yield()
                if hold.untilReleased { hold.gate.wait() }
            }
            return sample.answer(request, now: Date(timeIntervalSince1970: 1_700_000_000))
        }
        let url = api.url + "/timeline"
        var arrivals = waiting.makeAsyncIterator()
        var pages: [Data] = []
        var position: [String] = []
        var positions: [[String]] = []
        for round in 0..<10 {
            hold.isOn = round > 0
            hold.untilReleased = round.isMultiple(of: 2)
            if hold.isOn {
                let doomed = try Tool.start(feed(url, position))
                await arrivals.next()
                doomed.kill()
                if hold.untilReleased { hold.gate.signal() }
                let end = try await doomed.end()
                #expect(end.wasKilled || end.code == 0)
                hold.isOn = false
                for (stored, page) in zip(positions, pages) {
                    let again = try await Tool.start(feed(url, stored, ["--offline"])).end()
                    #expect(try items(again) == page)
                }
            }
            let run = try await Tool.start(feed(url, position)).end()
            #expect(run.code == 0, "\(run.error)")
            pages.append(try items(run))
            positions.append(position)
            position = ["older", try #require((try run.object()["ids"] as? [String])?.last)]
        }
        let list = try await Tool.run("ls", "--json", "--cache", cache).object()
        let stored = try #require((list["feeds"] as? [[String: Any]])?.first)
        #expect(stored["items"] as? Int == 100)
        #expect((stored["gaps"] as? [Any])?.isEmpty == true)
    }

    private func items(_ run: Tool.Outcome) throws -> Data {
        let range = try #require(try JSONSplitter.range(of: JSONPath("$.items"), in: run.output), "\(run.error)")
        return run.output[range]
    }
}
