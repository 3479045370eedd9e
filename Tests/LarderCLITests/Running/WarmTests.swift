import Foundation
import LarderKit
import LarderServer
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct WarmTests {
    let scratch: Scratch
    let cache: String

    init() throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
    }

    private static func answer(_ request: ServerRequest) -> ServerResponse {
        switch request.path {
        case "/fresh": .json(headers: ["Cache-Control": "max-age=3600"], Data("1".utf8))
        case "/tagged" where request.headers["If-None-Match"] == "\"x\"":
            ServerResponse(status: 304, headers: ["ETag": "\"x\""], body: Data())
        case "/tagged": .json(headers: ["ETag": "\"x\""], Data("2".utf8))
        case "/secret": .json(headers: ["Cache-Control": "no-store"], Data("3".utf8))
        case "/moved":
            ServerResponse(status: 301, headers: ["Location": "/fresh"], body: Data())
        case "/circle": ServerResponse(status: 301, headers: ["Location": "/circle"], body: Data())
        case "/large":
            .json(headers: ["Cache-Control": "max-age=3600"], Data(repeating: 0x31, count: 2_500_000))
        default: ServerResponse(status: 404, body: Data())
        }
    }

    private func warm(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.start(["warm", "--cache", cache] + arguments).end()
    }

    @Test func whatIsFetchedOnceIsNotFetchedAgain() async throws {
        let api = try StubAPI(Self.answer)
        let first = try await warm(api.url + "/fresh", api.url + "/tagged")
        #expect(first.code == 0 && first.text == "Fetched 2 (2 bytes).\n", "\(first.error)")
        let second = try await warm(api.url + "/fresh", api.url + "/tagged")
        #expect(second.code == 0 && second.text == "Fetched 0, 1 already fresh, 1 unchanged at the origin.\n")
        #expect(api.targets.count { $0 == "/fresh" } == 1)
    }

    @Test func whatCannotBeHadIsToldWithItsReason() async throws {
        let api = try StubAPI(Self.answer)
        let urls = ["/secret", "/missing", "/circle"].map { api.url + $0 }
        let run = try await warm("--json", urls[0], urls[1], urls[2])
        #expect(run.code == 1)
        let object = try run.object()
        let outcomes = try #require(object["urls"] as? [[String: Any]])
        #expect(outcomes.map { $0["outcome"] as? String } == ["notStored", "failed", "failed"])
        #expect((outcomes[0]["reason"] as? String)?.contains("keep-no-store") == true)
        #expect((outcomes[2]["reason"] as? String)?.contains("circles") == true)
        let kept = try await warm("--rule", "127.0.0.1=keep-no-store", urls[0])
        #expect(kept.code == 0 && kept.text.hasPrefix("Fetched 1"))
        api.stop()
        let gone = try await warm(urls[1])
        #expect(gone.code == 1 && gone.error.contains("refused"))
    }

    @Test func redirectsAreFollowedAndStored() async throws {
        let api = try StubAPI(Self.answer)
        let run = try await warm(api.url + "/moved")
        #expect(run.code == 0 && run.text == "Fetched 2 (1 byte).\n")
        api.stop()
        let proxy = try await RunningProxy([api.url], cache: cache)
        #expect(try await proxy.get("/moved").status == 301)
        #expect(try await proxy.get("/fresh").text == "1")
        _ = try await proxy.end()
    }

    @Test func aRunStopsWhereItsBudgetEndsAndTheNextGoesOn() async throws {
        let api = try StubAPI(Self.answer)
        let list = try scratch.newFile("list", "# two\n\(api.url)/fresh\n\n\(api.url)/large\n")
        try list.close()
        let run = try await warm("--from", scratch.path("list"), "--parallel", "1", "--budget", "1MB")
        #expect(run.code == 0 && run.text == "Fetched 1 (1 byte).\n")
        #expect(run.error.contains("/large: left: it is larger than what is left of --budget"))
        #expect(run.error.contains("1 URL left"))
        let rest = try await warm("--from", scratch.path("list"))
        #expect(rest.code == 0 && rest.text == "Fetched 1 (2.5 MB), 1 already fresh.\n")
    }

    @Test func whatIsPinnedIsPinnedWithAllOfItsBody() async throws {
        let api = try StubAPI(Self.answer)
        #expect(try await warm("--pin", api.url + "/large").text == "Fetched 1 (2.5 MB), 1 pinned.\n")
        _ = try await warm(api.url + "/fresh")
        #expect(try await Tool.run("pin", "--list", "--cache", cache).text == api.url + "/large\n")
        let trimmed = try await Tool.run("gc", "--budget", "100kB", "--cache", cache)
        #expect(trimmed.code == 0, "\(trimmed.error)")
        let shown = try await Tool.run("show", "--cache", cache, api.url + "/large")
        #expect(shown.code == 0 && shown.output.count == 2_500_000)
    }

    @Test func standardInputIsAListToo() async throws {
        let api = try StubAPI(Self.answer)
        let input = Pipe()
        try input.fileHandleForWriting.write(contentsOf: Data("\(api.url)/fresh\n".utf8))
        try input.fileHandleForWriting.close()
        let run = try await Tool.start(
            ["warm", "--cache", cache, "--from", "-"], input: input.fileHandleForReading
        ).end()
        #expect(run.code == 0 && run.text == "Fetched 1 (1 byte).\n")
    }

    @Test func aSecretGoesToNoOtherOrigin() async throws {
        let other = try StubAPI(Self.answer)
        let api = try StubAPI { _ in
            ServerResponse(status: 301, headers: ["Location": other.url + "/fresh"], body: Data())
        }
        _ = try await warm("--header", "Authorization: s3cr3t", "--header", "X-Plain: 1", "--private", api.url + "/a")
        #expect(api.requests.first?.headers["Authorization"] == "s3cr3t")
        let request = try #require(other.requests.first)
        #expect(request.headers["Authorization"] == nil && request.headers["X-Plain"] == "1")
    }

    private static let unclear: [([String], Int32)] = [
        ([], 64), (["--from", "/nonexistent"], 66), (["--parallel", "0", "http://a.test"], 64), (["a.test"], 64),
    ]

    @Test(arguments: unclear)
    func whatIsNotClearIsRefused(arguments: [String], code: Int32) async throws {
        let run = try await Tool.start(["warm", "--cache", cache] + arguments).end()
        #expect(run.code == code)
        #expect(!FileManager.default.fileExists(atPath: cache))
    }
}
