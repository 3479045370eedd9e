import Foundation
import LarderServer
import Testing

/// Two runs on one cache that want the same at the same time: one asks, and both have it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LeaseProcessesTests {
    private let scratch: Scratch
    private let cache: String

    init() throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
    }

    /// A server that holds each request until it is let go, and says which came.
    private final class SlowAPI: Sendable {
        let api: StubAPI
        private let gate = Hold()
        private let arrivals: AsyncStream<Void>

        init(_ answer: @escaping @Sendable (ServerRequest) -> ServerResponse) throws {
            let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
            self.arrivals = arrivals
            gate.isOn = true
            api = try StubAPI { [gate] request in
                continuation.yield()
                if gate.isOn { gate.gate.wait() }
                return answer(request)
            }
        }

        deinit { letGo(16) }

        var url: String { api.url }

        func requests(_ count: Int) async {
            var iterator = arrivals.makeAsyncIterator()
            for _ in 0..<count { await iterator.next() }
        }

        /// Lets go those that wait, and holds nobody any more.
        func letGo(_ count: Int) {
            gate.isOn = false
            for _ in 0..<count { gate.gate.signal() }
        }
    }

    private static let page = #"[{"id":"3"},{"id":"2"},{"id":"1"}]"#

    private func get(_ url: String) throws -> Tool.Run {
        try Tool.start(["get", "--ttl", "1h", "--cache", cache, url])
    }

    private func feed(_ url: String) throws -> Tool.Run {
        try Tool.start(["feed", "--ttl", "1h", "--order", "decimal", "--limit", "3", "--cache", cache, url])
    }

    /// Returns when the process has opened the cache's file, and so is about to see the lease of the other.
    private func hasOpened(_ run: Tool.Run) async throws {
        let folder = "/proc/\(run.id)/fd"
        while !Task.isCancelled {
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            let paths = files.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
            }
            if paths.contains(where: { $0.hasSuffix("cache.sqlite-wal") }) { return }
            await Task.yield()
        }
    }

    @Test(arguments: [true, false])
    func `those that want the same leave it to the first, and all have it`(isFeed: Bool) async throws {
        let server = try SlowAPI { _ in .json(Data(Self.page.utf8)) }
        let url = server.url + "/list"
        let first = isFeed ? try feed(url) : try get(url)
        await server.requests(1)
        let others = try (0..<3).map { _ in isFeed ? try feed(url) : try get(url) }
        for other in others { try await hasOpened(other) }
        #expect(server.api.targets.count == 1)
        server.letGo(4)
        let ends = [try await first.end()] + (try await end(others))
        for end in ends {
            #expect(end.code == 0, "\(end.error)")
            #expect(!end.error.contains("warning"), "\(end.error)")
            #expect(end.text == ends[0].text && end.text.contains("3"))
        }
    }

    private func end(_ runs: [Tool.Run]) async throws -> [Tool.Outcome] {
        var ends: [Tool.Outcome] = []
        for run in runs { ends.append(try await run.end()) }
        return ends
    }

    @Test(arguments: [true, false])
    func `one that is killed is not waited for`(isFeed: Bool) async throws {
        let server = try SlowAPI { _ in .json(Data(Self.page.utf8)) }
        let url = server.url + "/list"
        let doomed = isFeed ? try feed(url) : try get(url)
        await server.requests(1)
        let other = isFeed ? try feed(url) : try get(url)
        try await hasOpened(other)
        #expect(server.api.targets.count == 1)
        doomed.kill()
        #expect(try await doomed.end().wasKilled)
        // The other asks by itself now, though the first request is still held.
        await server.requests(1)
        server.letGo(2)
        let end = try await other.end()
        #expect(end.code == 0 && end.text.contains("3"), "\(end.error)")
        #expect(server.api.targets.count == 2)
    }

    @Test func `those that want different things do not wait for each other`() async throws {
        let server = try SlowAPI { _ in .json(Data(Self.page.utf8)) }
        let runs = [
            try get(server.url + "/a"), try get(server.url + "/b"), try feed(server.url + "/a"),
            try feed(server.url + "/b"),
        ]
        // All are under way at the same time.
        await server.requests(4)
        server.letGo(4)
        for end in try await end(runs) { #expect(end.code == 0, "\(end.error)") }
        #expect(server.api.targets.count == 4)
    }

    @Test func `when the first one fails, the next one asks`() async throws {
        let server = try SlowAPI { _ in .plain(status: 500, "") }
        let url = server.url + "/list"
        let first = try get(url)
        await server.requests(1)
        let other = try get(url)
        try await hasOpened(other)
        server.api.respond(json: Self.page)
        server.letGo(1)
        #expect(try await first.end().code != 0)
        let end = try await other.end()
        #expect(end.code == 0 && end.text.contains("3"), "\(end.error)")
    }
}
