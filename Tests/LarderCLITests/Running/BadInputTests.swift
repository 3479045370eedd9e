import Foundation
import LarderKit
import LarderServer
import Testing

/// Each mistake and mishap is told with its cause and the next step, has an exit code of its own, and costs nothing that
/// is stored.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BadInputTests {
    let scratch: Scratch
    let cache: String

    init() throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
    }

    @Test(
        arguments: [
            ("api.example.com/items", "http://"), ("ftp://example.com/", "ftp://"), ("https:///items", "no host"),
            ("http://exa mple.com/", "not valid"), ("http://anna:s3cr3t@example.com/", "--header"),
            ("http://127.0.0.1:99999/", "port"), ("", "http://"),
            ("https://b\u{FC}cher.example/", "punycode"),
        ])
    func aWrongURLIsAMistakeOfTheCommandLine(url: String, hint: String) async throws {
        for command in ["get", "feed"] {
            let run = try await Tool.run(command, "--cache", cache, url)
            #expect(run.code == 64)
            #expect(run.error.contains(hint))
            #expect(!run.error.contains("s3cr3t"))
            #expect(run.output.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: cache))
        }
    }

    @Test(
        arguments: [
            ["--header", "s3cr3t"], ["--header", "Authorization:", "s3cr3t"], ["--header", "If-None-Match: s3cr3t"],
            ["--header", "a b: s3cr3t"], ["--policy", "fast"], ["--offline", "--policy", "network-only"],
            ["--patience", "1", "--policy", "cache-first"], ["--timeout", "0"], ["--cache="],
        ])
    func optionsThatMakeNoSenseAreMistakesOfTheCommandLine(options: [String]) async throws {
        let run = try await Tool.start(["get", "http://127.0.0.1:1/"] + options).end()
        #expect(run.code == 64)
        #expect(run.error.contains("larder help get"))
    }

    @Test(
        arguments: [
            ["newer"], ["older", ""], ["newer", ""], ["newest", "1"], ["older", "1", "--max-param="],
            ["sideways", "1"], ["--limit", "0"],
            ["--items", "$..x"], ["--order", "up"], ["show", "1"], ["fill", "0"], ["fill", "x"],
            ["fill", "--count", "1"],
            ["fill", "--max-requests", "3"], ["all", "--offline"], ["watch", "--every", "500ms"],
            ["gaps", "--ttl", "1"],
            ["all", "--paging", "cursor"], ["--paging", "link", "--order", "text"], ["refresh", "--patience", "1"],
        ])
    func aPositionThatMakesNoSenseIsAMistakeOfTheCommandLine(arguments: [String]) async throws {
        let run = try await Tool.start(["feed", "http://127.0.0.1:1/"] + arguments).end()
        #expect(run.code == 64)
    }

    @Test(arguments: [
        ("cursor", ["--next", "n"]), ("page", ["--paging", "page"]), ("offset", ["--paging", "offset"]),
    ])
    func whatPagesIsTheCachesOwnToAskForUnderEveryKind(name: String, options: [String]) async throws {
        let run = try await Tool.start(["feed", "--cache", cache, "http://127.0.0.1:1/?\(name)=3"] + options).end()
        #expect(run.code == 64)
        #expect(run.error.contains("the URL has a \(name) of its own: leave it out"))
    }

    @Test(arguments: ["-1", "0", "10001", "many"])
    func aLimitThatCannotBeNamesTheRange(limit: String) async throws {
        let run = try await Tool.run("feed", "http://127.0.0.1:1/", "--limit", limit)
        #expect(run.code == 64)
        #expect(run.error.contains("from 1 to 10000, not '\(limit)'"))
    }

    @Test func anIDThatLooksLikeAnOptionIsToldTheWay() async throws {
        let run = try await Tool.run("feed", "http://127.0.0.1:1/", "older", "-a")
        #expect(run.code == 64)
        #expect(run.error.contains("-- -a"))
    }

    @Test func aSizeOfAPageThatIsGivenTwiceIsRefused() async throws {
        let run = try await Tool.run("feed", "--cache", cache, "http://127.0.0.1:1/?limit=4", "--limit", "2")
        #expect(run.code == 64)
        #expect(run.error.contains("leave out --limit"))
    }

    @Test(arguments: ["since_id=3", "max_id=3"])
    func boundsInTheURLAreTheCachesOwnToAskFor(query: String) async throws {
        let run = try await Tool.run("feed", "--cache", cache, "http://127.0.0.1:1/?\(query)")
        #expect(run.code == 64)
        #expect(run.error.contains("leave it out"))
    }

    @Test func aRefusedConnectionWithNothingStoredNamesTheServer() async throws {
        // Nobody listens there; the port of a server that has stopped may go to the next one.
        let origin = "http://127.0.0.1:1"
        for command in ["get", "feed"] {
            let run = try await Tool.run(command, "--json", "--cache", cache, origin + "/secret-path")
            #expect(run.code == 69)
            #expect(run.error.contains(origin))
            #expect(!run.error.contains("secret-path"))
            let object = try run.object()
            #expect(
                object[command == "get" ? "value" : "items"].map { $0 is NSNull || ($0 as? [Any])?.isEmpty == true }
                    == true)
            #expect((object["error"] as? [String: Any])?["kind"] as? String == "offline")
            #expect(object["source"] is NSNull)
        }
    }

    @Test func nothingStoredAndNobodyAskedSaysWhatToDo() async throws {
        let missing = try await Tool.run("get", "--offline", "--cache", cache, "http://127.0.0.1:1/")
        #expect(missing.code == 1)
        #expect(missing.error.contains(cache))
        #expect(!FileManager.default.fileExists(atPath: cache))
        let api = try StubAPI(json: "{}")
        _ = try await Tool.run("get", "--cache", cache, api.url + "/other")
        for command in ["get", "feed"] {
            let run = try await Tool.run(command, "--offline", "--json", "--cache", cache, api.url + "/doc")
            #expect(run.code == 1)
            #expect(run.error.contains("without --offline"))
            #expect((try run.object()["error"] as? [String: Any])?["kind"] as? String == "notStored")
        }
    }

    // MARK: What a server may send

    @Test(arguments: ["get", "feed"])
    func htmlInPlaceOfJSONIsRefusedAndReplacesNothing(command: String) async throws {
        let api = try StubAPI { _ in .html("<!DOCTYPE html><p>Sign in</p>") }
        let first = try await Tool.run(command, "--json", "--cache", cache, api.url + "/doc")
        #expect(first.code == 65)
        #expect(first.error.contains("HTML"))
        #expect((try first.object()["error"] as? [String: Any])?["kind"] as? String == "wrongAnswer")

        api.respond(json: #"[{"id":1}]"#)
        _ = try await Tool.run(command, "--cache", cache, api.url + "/doc")
        api.respond { _ in .html("<!DOCTYPE html><p>Sign in</p>") }
        let beside = try await Tool.run(command, "--json", "--cache", cache, api.url + "/doc")
        #expect(beside.code == 65)
        #expect((try beside.object()["error"] as? [String: Any])?["kind"] as? String == "wrongAnswer")
        #expect(beside.text.contains(#"{"id":1}"#))
        let insisting = try await Tool.run(command, "--policy", "network-only", "--cache", cache, api.url + "/doc")
        #expect(insisting.code == 65)
        let kept = try await Tool.run(command, "--offline", "--json", "--cache", cache, api.url + "/doc")
        #expect(kept.text.contains(#"{"id":1}"#))
    }

    @Test func whatIsNotJSONIsRefused() async throws {
        let api = try StubAPI(json: #"{"cut": "#)
        for command in ["get", "feed"] {
            let run = try await Tool.run(command, "--cache", cache, api.url + "/doc")
            #expect(run.code == 65)
            #expect(run.error.contains("cut short"))
        }
    }

    @Test func anotherShapeNamesTheKeysThereAreAndWhereTheItemsMayBe() async throws {
        let api = try StubAPI(json: #"{"total":1,"data":[{"id":1}]}"#)
        let run = try await Tool.run("feed", "--cache", cache, api.url + "/")
        #expect(run.code == 65)
        #expect(run.error.contains("total, data"))
        #expect(run.error.contains("try --items '$.data'"))
        let other = try await Tool.run("feed", "--items", "$.results", "--cache", cache, api.url + "/")
        #expect(other.code == 65)
        #expect(other.error.contains("$.results"))
        let right = try await Tool.run("feed", "--items", "$.data", "--cache", cache, api.url + "/")
        #expect(right.code == 0)
    }

    @Test func anIDPathThatNamesNothingIsRefusedWithTheNamesThereAre() async throws {
        let api = try StubAPI(json: #"[{"key":"a","text":"x"},{"key":"b"}]"#)
        let run = try await Tool.run("feed", "--json", "--cache", cache, api.url + "/")
        #expect(run.code == 65)
        #expect(run.error.contains("key, text"))
        #expect(run.error.contains("try --id '$.key'"))
        #expect((try run.object()["items"] as? [Any])?.isEmpty == true)
        let right = try await Tool.run("feed", "--id", "$.key", "--cache", cache, api.url + "/")
        #expect(right.code == 0)
    }

    @Test(arguments: [("", "an empty string"), (#"\ud800"#, "half a surrogate pair")])
    func aTextThatIsNoIDIsRefusedWithItsCause(id: String, cause: String) async throws {
        let api = try StubAPI(json: #"[{"id":"\#(id)"}]"#)
        let run = try await Tool.run("feed", "--cache", cache, api.url + "/")
        #expect(run.code == 65)
        #expect(run.error.contains(cause))
    }

    @Test func aNameFromTheServerIsAdvisedAsOneWordOfAShell() async throws {
        let api = try StubAPI(json: #"[{"'; reboot; 'id":"a"}]"#)
        let run = try await Tool.run("feed", "--cache", cache, api.url + "/")
        #expect(run.error.contains(#"--id '$['\''\'\''; reboot; \'\''id'\'']'"#))
    }

    @Test func aConnectionThatBreaksWithinAnAnswerIsNoMistakeInTheURL() async throws {
        let api = try StubAPI { _ in
            ServerResponse(body: Data(repeating: 0x20, count: 1000), framing: .length, fault: .closeAfter(bytes: 10))
        }
        let run = try await Tool.run("feed", "--cache", cache, api.url + "/")
        #expect(run.code == 65)
        #expect(run.error.contains("the body ended before its time. Try again.\n"))
    }

    @Test func itemsOfWhichSomeHaveNoIDAreShownWithAWarning() async throws {
        let api = try StubAPI(json: #"[{"id":3},{"no":2},{"id":1}]"#)
        let run = try await Tool.run("feed", "--json", "--cache", cache, api.url + "/")
        #expect(run.code == 0)
        #expect(try warnings(run) == ["itemsWithoutID"])
        let told = try await Tool.run("feed", "--cache", cache, api.url + "/")
        #expect(told.error.contains("1 item without an id"))
    }

    @Test func anIDTwiceInAPageIsShownOnceAndIsAFault() async throws {
        let api = try StubAPI(json: #"[{"id":2,"n":1},{"id":1},{"id":2,"n":2}]"#)
        let run = try await Tool.run("feed", "--json", "--cache", cache, api.url + "/")
        #expect(run.code == 65)
        #expect(run.error.contains("twice"))
        #expect(run.error.contains("--id"))
        #expect(try run.object()["ids"] as? [String] == ["2", "1"])
        #expect(run.text.contains(#"{"id":2,"n":1}"#))
        #expect(try warnings(run) == ["duplicates"])
    }

    @Test func aPageLargerThanAskedIsKeptAndIsAFault() async throws {
        let api = try StubAPI(json: #"[{"id":4},{"id":3},{"id":2},{"id":1}]"#)
        let run = try await Tool.run("feed", "--json", "--limit", "2", "--cache", cache, api.url + "/")
        #expect(run.code == 65)
        #expect(run.error.contains("4 items where 2 were asked for"))
        #expect(run.error.contains("--limit-param"))
        #expect(try run.object()["ids"] as? [String] == ["4", "3"])
        let rest = try await Tool.run("feed", "--json", "--offline", "--cache", cache, api.url + "/")
        #expect(try rest.object()["ids"] as? [String] == ["4", "3", "2", "1"])
        let told = try await Tool.run("feed", "--limit-param=", "--limit", "2", "--cache", cache, api.url + "/")
        #expect(told.code == 0)
    }

    private func warnings(_ run: Tool.Outcome) throws -> [String] {
        (try run.object()["warnings"] as? [[String: Any]] ?? []).compactMap { $0["kind"] as? String }
    }

    @Test(arguments: [
        (401, 1, "--header"), (404, 1, "path"), (503, 75, "7.0 s"), (429, 75, "7.0 s"), (418, 1, "parameters"),
    ])
    func aStatusThatBringsNothingSaysWhatToDo(status: Int, code: Int32, hint: String) async throws {
        let api = try StubAPI { _ in
            ServerResponse(status: status, headers: ["Retry-After": "7"], body: Data("{}".utf8))
        }
        let run = try await Tool.run("get", "--cache", cache, api.url + "/doc")
        #expect(run.code == code)
        #expect(run.error.contains("\(status)"))
        #expect(run.error.contains(hint))
        #expect(run.output.isEmpty)
    }

    @Test func aRedirectToAnotherOriginIsNamedAndNotFollowed() async throws {
        let api = try StubAPI { _ in
            ServerResponse(status: 302, headers: ["Location": "https://login.example.com/sign-in?token=s3cr3t"])
        }
        let run = try await Tool.run("get", "--cache", cache, api.url + "/doc")
        #expect(run.code == 1)
        #expect(run.error.contains("https://login.example.com/sign-in,"))
        #expect(!run.error.contains("s3cr3t"))
    }
}
