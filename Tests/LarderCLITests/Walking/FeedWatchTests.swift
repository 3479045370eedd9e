import Foundation
import LarderKit
import LarderServer
import Synchronization
import Testing

@testable import LarderCLI

/// What a watch does between and after its requests: the waiting is the test's own.
@Suite(.timeLimit(.minutes(5))) struct FeedWatchTests {
    let scratch: Scratch
    let api: StubAPI
    let larder: Larder
    let feed: Feed<Data>
    private let told = Told()

    /// State: `lines` and `waits`, under their locks.
    private final class Told: Sendable {
        let lines = Mutex<[String]>([])
        let waits = Mutex<[Duration]>([])
    }

    init() throws {
        scratch = try Scratch()
        api = try StubAPI(json: #"[{"id":1}]"#)
        larder = try CacheFolder(scratch.path("cache")).open(for: nil)
        let endpoint = try Endpoint(api.url + "/list")
        let origin = Origin(endpoint: endpoint, headers: try RequestHeaders([]), timeout: .seconds(20))
        feed = FeedSource(origin: origin).feed(in: larder.common)
    }

    private func watch(
        refreshes: Int?, between: @escaping @Sendable (Int) throws -> Void
    ) async throws -> Trouble? {
        let told = told
        let terminal = Terminal(isTerminal: false, columns: 80, environment: [:])
        return try await FeedWatch(
            feed: feed, limit: 20, interval: .seconds(30), refreshes: refreshes,
            trouble: {
                Trouble($0, Subject(origin: "", folder: URL(fileURLWithPath: "/"), isOffline: false, thing: ""))
            },
            note: { Note($0, folder: URL(fileURLWithPath: "/")) },
            wait: { pause in
                let count = told.waits.withLock { waits in
                    waits.append(pause)
                    return waits.count
                }
                try between(count)
            },
            tell: { event in
                let line = WatchReport.line(event, terminal)
                told.lines.withLock { $0.append(line) }
            }
        ).run()
    }

    @Test func whatComesBetweenTwoRequestsIsTold() async throws {
        let api = api
        let trouble = try await watch(refreshes: 3) { count in
            api.respond(json: count == 1 ? #"[{"id":2,"name":"Two"},{"id":1}]"# : #"[{"id":2,"name":"2"},{"id":1}]"#)
        }
        #expect(trouble == nil)
        #expect(told.lines.withLock { $0 } == [#"+ 1  {"id":1}"#, "+ 2  Two", "~ 2  2"])
        #expect(told.waits.withLock { $0 } == [.seconds(30), .seconds(30)])
        #expect(api.targets.count == 3)
    }

    @Test func aFailureIsWaitedForAsLongAsTheServerSays() async throws {
        let api = api
        api.respond { _ in ServerResponse(status: 503, headers: ["Retry-After": "120"]) }
        let trouble = try await watch(refreshes: 3) { count in
            api.respond { _ in
                count == 1
                    ? ServerResponse(status: 429, headers: ["Retry-After": "2"]) : .json(Data(#"[{"id":1}]"#.utf8))
            }
        }
        #expect(trouble == nil)
        #expect(told.waits.withLock { $0 } == [.seconds(120), .seconds(30)])
        #expect(told.lines.withLock { $0.count } == 3)
    }

    @Test func aServerThatHasSpokenItsLastWordIsNotAskedAgain() async throws {
        let api = api
        api.respond { _ in ServerResponse(status: 403) }
        let trouble = try await watch(refreshes: nil) { _ in Issue.record("it waits for nothing") }
        #expect(trouble?.kind == "forbidden")
        #expect(api.targets.count == 1)
    }

    @Test func theSameRemarkIsToldOnce() async throws {
        api.respond(json: #"[{"id":1},{"no":2}]"#)
        _ = try await watch(refreshes: 3) { _ in }
        #expect(told.lines.withLock { $0.count { $0.contains("without an id") } } == 1)
    }

    @Test func whoWaitsNoLongerEndsIt() async throws {
        await #expect(throws: CancellationError.self) {
            try await watch(refreshes: nil) { count in if count == 2 { throw CancellationError() } }
        }
        #expect(api.targets.count == 2)
    }
}
