import Foundation
import LarderKit
import LarderServer
import Testing

/// `larder feed URL all`: a list is brought in to its end, however it is paged, and what stops that is told.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FeedWalkTests {
    let scratch: Scratch
    let cache: String
    let sample = SampleAPI(.init(posts: 50), start: Date(timeIntervalSince1970: 1_700_000_000))

    init() throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
    }

    private func feed(_ arguments: [String]) async throws -> Tool.Outcome {
        try await Tool.start(["feed", "--json", "--cache", cache] + arguments).end()
    }

    private func kind(of error: Tool.Outcome) throws -> String? {
        (try error.object()["error"] as? [String: Any])?["kind"] as? String
    }

    // MARK: Every kind of paging

    struct Kind: Sendable, CustomTestStringConvertible {
        let path: String
        let options: [String]
        /// What names the list, offline.
        var naming: [String] = []
        /// The kind of paging that the options stand for, where they do not name it.
        var implied: String?
        let count: Int
        let requests: Int

        var testDescription: String { path + " " + options.joined(separator: " ") }
    }

    static let kinds = [
        Kind(path: "/timeline", options: ["--order", "decimal"], implied: "id", count: 50, requests: 4),
        Kind(path: "/timeline", options: ["--paging", "after"], count: 50, requests: 5),
        Kind(path: "/timeline", options: ["--paging", "link"], count: 50, requests: 3),
        Kind(
            path: "/notes", options: ["--next", "next_cursor", "--more", "has_more"], naming: ["--items", "notes"],
            implied: "cursor", count: 50, requests: 3),
        Kind(path: "/issues", options: ["--paging", "link"], count: 50, requests: 3),
        Kind(path: "/products", options: ["--paging", "page"], count: 57, requests: 7),
        Kind(path: "/products", options: ["--paging", "offset"], count: 57, requests: 4),
    ]

    @Test(arguments: kinds)
    func everythingIsBroughtInAndKeptWithoutTheOptions(kind: Kind) async throws {
        let server = try sample.serve()
        let url = server.url + kind.path
        let run = try await feed(kind.options + kind.naming + [url, "all"])
        #expect(run.code == 0, "\(run.error)")
        let object = try run.object()
        #expect((object["inserted"] as? [String])?.count == kind.count)
        #expect(object["items"] as? Int == kind.count)
        #expect(object["requests"] as? Int == kind.requests)
        #expect(object["gaps"] as? Int == 0)
        #expect(object["atEnd"] as? Bool == true)
        #expect(object["ended"] as? String == "done")
        server.stop()
        let kept = try await feed(kind.naming + ["--offline", "--limit", "100", url])
        #expect(kept.code == 0, "\(kept.error)")
        #expect(try kept.object()["ids"] as? [String] == object["inserted"] as? [String])
        #expect(try kept.object()["atEnd"] as? Bool == true)
        let list = try await Tool.run("ls", "--json", "--cache", cache).object()
        let paging = (list["feeds"] as? [[String: Any]])?.first?["paging"] as? String
        #expect(kind.options.contains(paging ?? "") || kind.implied == paging)
    }

    @Test(arguments: kinds)
    func anInterruptedWalkGoesOnAndFillsWhatHasCome(kind: Kind) async throws {
        let server = try sample.serve()
        let arguments =
            kind.options + kind.naming + ["--limit", "10", "--max-requests", "2", server.url + kind.path, "all"]
        let first = try await feed(arguments).object()
        #expect(first["ended"] as? String == "maxRequests")
        sample.publish(25, now: Date(timeIntervalSince1970: 1_700_000_100))
        var runs = 1
        var ended = ""
        while ended != "done", runs < 20 {
            let run = try await feed(arguments)
            #expect(run.code == 0, "\(run.error)")
            ended = try run.object()["ended"] as? String ?? ""
            runs += 1
        }
        let show = try await feed(kind.naming + ["--limit", "200", server.url + kind.path, "show"]).object()
        let ids = (show["rows"] as? [[String: Any]] ?? []).map { $0["id"] as? String }
        let all = kind.path == "/products" ? kind.count : kind.count + 25
        #expect(ids.count == all)
        #expect(Set(ids).count == all)
        #expect(show["complete"] as? Bool == true)
    }

    @Test func theNextWalkNeedsNoMoreThanTheHead() async throws {
        let server = try sample.serve()
        _ = try await feed(["--paging", "link", server.url + "/issues", "all"])
        let run = try await feed([server.url + "/issues", "all"]).object()
        #expect(run["requests"] as? Int == 1)
        #expect((run["inserted"] as? [Any])?.isEmpty == true)
    }

    @Test func thePageAboveIsAskedForConditionally() async throws {
        let api = try StubAPI { [sample] in sample.answer($0, now: Date(timeIntervalSince1970: 1_700_000_000)) }
        _ = try await feed(["--paging", "page", api.url + "/products", "all"])
        let conditional = api.requests.filter { $0.headers["If-None-Match"] != nil }
        #expect(conditional.map(\.target).first == "/products?page=1&limit=20")
    }

    @Test func neighboursThatAreAssumedCostNoRequest() async throws {
        let api = try StubAPI { [sample] in sample.answer($0, now: Date(timeIntervalSince1970: 1_700_000_000)) }
        let run = try await feed([
            "--assume-neighbours", api.url + "/products", "--limit", "10", "--max-requests", "6", "all",
        ])
        #expect(try run.object()["items"] as? Int == 57)
        #expect(api.targets == (1...6).map { "/products?page=\($0)&limit=10" })
        let page = try await feed(["--offline", api.url + "/products", "--limit", "30"]).object()
        #expect((page["warnings"] as? [[String: Any]])?.first?["kind"] as? String == "assumedNeighbours")
    }

    @Test func aLinkMayStandInTheBody() async throws {
        let api = try StubAPI { request in
            let json =
                request.path == "/list"
                ? #"{"items":[{"id":2}],"links":{"next":"/more?x=1"}}"# : #"{"items":[{"id":1}],"links":{"next":null}}"#
            return .json(Data(json.utf8))
        }
        let run = try await feed(
            ["--paging", "link", "--items", "items", "--next", "links.next", api.url + "/list", "all"])
        #expect(api.targets == ["/list?limit=20", "/more?x=1"])
        #expect(try run.object()["inserted"] as? [String] == ["2", "1"])
        #expect(try run.object()["atEnd"] as? Bool == true)
    }

    @Test func aFlagSaysWhetherMoreFollows() async throws {
        let api = try StubAPI { request in
            let page = request.queryValues("p").last.flatMap { Int($0) } ?? 0
            return .json(Data("{\"items\":[{\"id\":\"i\(page)\"}],\"more\":\(page < 2)}".utf8))
        }
        let options = [
            "--items", "items", "--more", "more", "--page-param", "p", "--first-page", "0", "--assume-neighbours",
        ]
        let run = try await feed(options + [api.url + "/", "--limit", "1", "all"])
        #expect(run.code == 0, "\(run.error)")
        #expect(api.targets == (0...2).map { "/?p=\($0)&limit=1" })
        #expect(try run.object()["atEnd"] as? Bool == true)
    }

    // MARK: Links and credentials

    @Test func aLinkToAnotherOriginIsNeverAsked() async throws {
        let other = try StubAPI(json: "[]")
        let api = try StubAPI { _ in
            .json(headers: ["Link": "<\(other.url)/next>; rel=\"next\""], Data(#"[{"id":1}]"#.utf8))
        }
        let run = try await feed(
            ["--paging", "link", "--header", "Authorization: Bearer s3cr3t", api.url + "/list", "all"])
        #expect(run.code == 65)
        #expect(try kind(of: run) == "stalled")
        #expect(try run.object()["ended"] as? String == "stalled")
        #expect(run.error.contains("another server"))
        #expect(other.targets.isEmpty)
        #expect(api.requests.allSatisfy { $0.headers["Authorization"] == "Bearer s3cr3t" })
    }

    @Test func aLinkThatRedirectsToAnotherOriginIsNotFollowed() async throws {
        let other = try StubAPI(json: "[]")
        let api = try StubAPI { request in
            guard request.path == "/list" else {
                return ServerResponse(status: 302, headers: ["Location": other.url + "/"])
            }
            return .json(headers: ["Link": "</next>; rel=\"next\""], Data(#"[{"id":1}]"#.utf8))
        }
        let run = try await feed(["--paging", "link", "--header", "Cookie: s3cr3t", api.url + "/list", "all"])
        #expect(run.code == 1)
        #expect(run.error.contains("redirects"))
        #expect(other.targets.isEmpty)
        #expect(api.targets == ["/list?limit=20", "/next"])
    }

    @Test func linksAreRelativeToWhereTheAnswerCameFrom() async throws {
        let api = try StubAPI { request in
            switch request.path {
            case "/list": ServerResponse(status: 302, headers: ["Location": "/v2/list"])
            case "/v2/list": .json(headers: ["Link": "<rest>; rel=\"next\""], Data(#"[{"id":2}]"#.utf8))
            default: .json(Data(#"[{"id":1}]"#.utf8))
            }
        }
        let run = try await feed(["--paging", "link", api.url + "/list", "all"])
        #expect(try run.object()["items"] as? Int == 2)
        #expect(api.targets.last == "/v2/rest")
    }

    // MARK: What stops a walk

    @Test(arguments: [429, 503])
    func aServerThatWantsToBeLeftAloneIs(status: Int) async throws {
        let api = try StubAPI { request in
            request.queryValues("cursor").isEmpty
                ? EndlessList.answer(request) : ServerResponse(status: status, headers: ["Retry-After": "70"])
        }
        let run = try await feed(EndlessList.options + [api.url + "/", "all"])
        #expect(run.code == 75)
        #expect(run.error.contains("\(status)"))
        #expect(run.error.contains("Try again in 70 s"))
        #expect(api.targets.count == 2)
        #expect(try run.object()["items"] as? Int == 1)
        #expect(try run.object()["ended"] as? String == "failed")
        #expect(try kind(of: run) == (status == 429 ? "throttled" : "server"))
        #expect(try run.object()["retryAfter"] as? Double == 70)

        api.respond(with: EndlessList.answer)
        let more = try await feed(EndlessList.options + ["--max-requests", "3", api.url + "/", "all"])
        #expect(more.code == 0)
        #expect(try more.object()["inserted"] as? [String] == ["999", "998"])
        #expect(more.error.isEmpty)
    }

    @Test func aServerThatDoesNotAnswerIsGivenUp() async throws {
        let hold = Hold()
        let api = try StubAPI { request in
            if !request.queryValues("cursor").isEmpty { hold.gate.wait() }
            return EndlessList.answer(request)
        }
        let run = try await feed(EndlessList.options + ["--timeout", "500ms", api.url + "/", "all"])
        hold.gate.signal()
        #expect(run.code == 69)
        #expect(try kind(of: run) == "timedOut")
        #expect(try run.object()["items"] as? Int == 1)
    }

    @Test(arguments: [["--paging", "after"], ["--order", "decimal"], ["--paging", "page"]])
    func aServerThatGivesTheSameAgainAndAgainIsGivenUp(options: [String]) async throws {
        let api = try StubAPI(json: #"[{"id":2},{"id":1}]"#)
        let run = try await feed(options + ["--limit", "2", api.url + "/", "all"])
        #expect(run.code == 65)
        #expect(["nothingNew", "stalled"].contains(try run.object()["ended"] as? String ?? ""))
        #expect(api.targets.count < 20)
        #expect(try run.object()["items"] as? Int == 2)
    }

    @Test func aCursorThatLeadsBackIsGivenUp() async throws {
        let api = try StubAPI(json: #"{"items":[{"id":1}],"next":"x"}"#)
        let run = try await feed(["--items", "items", "--next", "next", "--limit", "1", api.url + "/", "all"])
        #expect(run.code == 65)
        #expect(try kind(of: run) == "stalled")
        #expect(api.targets.count < 5)
    }

    @Test func ctrlCStopsBetweenTwoRequestsAndTheSameCommandGoesOn() async throws {
        let (arrivals, continuation) = AsyncStream.makeStream(of: Void.self)
        let api = try StubAPI { request in
            continuation.yield()
            return EndlessList.answer(request)
        }
        let arguments = EndlessList.options + ["--max-requests", "1000000", api.url + "/", "all"]
        let run = try Tool.start(["feed", "--json", "--cache", cache] + arguments)
        var iterator = arrivals.makeAsyncIterator()
        for _ in 0..<3 { await iterator.next() }
        run.interrupt()
        let end = try await run.end()
        #expect(end.code == 130)
        #expect(!end.wasKilled)
        let object = try end.object()
        #expect(object["ended"] as? String == "interrupted")
        let items = try #require(object["items"] as? Int)
        #expect(items == object["requests"] as? Int)
        #expect(items == api.targets.count)

        let more = try await feed(EndlessList.options + ["--max-requests", "2", api.url + "/", "all"]).object()
        #expect(more["items"] as? Int == items + 1)
        #expect(more["gaps"] as? Int == 0)
    }

    @Test func aPersonIsToldWhereTheListStands() async throws {
        let server = try sample.serve()
        let url = server.url + "/issues"
        let part = try await Tool.run(
            "feed", "--cache", cache, "--paging", "link", "--max-requests", "2", url, "all")
        #expect(part.output.isEmpty)
        #expect(part.error.contains("40 new; 2 requests\n40 items stored, no gap, older ones may follow. Stopped"))
        let whole = try await Tool.run("feed", "--cache", cache, url, "all")
        #expect(whole.error == "10 new; 2 requests\n50 items stored, no gap, the list's end is known.\n")
    }

    // MARK: What is said and what is kept

    @Test func anotherKindGoesAheadAndSaysWhatItDoes() async throws {
        let server = try sample.serve()
        let url = server.url + "/timeline"
        _ = try await feed(["--paging", "link", url, "all"])
        let offline = try await feed(["--offline", "--paging", "offset", url])
        #expect(offline.code == 1)
        #expect(offline.error.contains("kept paged by link, and offline it can only be shown so"))
        let run = try await feed(["--paging", "after", url, "refresh"])
        #expect(run.error.contains("kept paged by link; paged by item its items stay"))
        #expect(try run.object()["items"] as? Int == 50)
    }

    @Test func aCursorIsToBeNamedWhereThereIsOneToAskFor() async throws {
        let server = try sample.serve()
        let url = server.url + "/notes"
        _ = try await feed(["--items", "notes", "--next", "next_cursor", url])
        let run = try await feed(["--items", "notes", url, "all"])
        #expect(run.code == 64)
        #expect(run.output.isEmpty)
        #expect(run.error.contains("--next"))
        #expect(try await feed(["--items", "notes", "--offline", url]).code == 0)
        #expect(try await feed(["--items", "notes", url, "gaps"]).code == 0)
    }
}
