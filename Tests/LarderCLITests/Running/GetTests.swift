import Foundation
import LarderKit
import LarderServer
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct GetTests {
    let scratch: Scratch
    let cache: String

    init() throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
    }

    /// White space, a large number, an escape and a repeated name, none of which survives being read and written anew.
    private let document = "{ \"a\" : 1.10,\n\t\"n\": 123456789012345678901234567890, \"u\":\"\\u00e9\", \"a\": 2 }\n"

    @Test func theDocumentComesAsItWasSentAndWhatIsToBeSaidStandsBeside() async throws {
        let api = try StubAPI(json: document)
        let run = try await Tool.run("get", "--cache", cache, api.url + "/doc")
        #expect(run.code == 0)
        #expect(run.output == Data(document.utf8))
        #expect(run.error.contains("from the network"))
        #expect(!run.error.contains("warning"))
    }

    @Test func aRefusedConnectionShowsWhatIsStoredAndSaysWhy() async throws {
        let api = try StubAPI(json: document)
        _ = try await Tool.run("get", "--cache", cache, api.url + "/doc")
        api.stop()
        let run = try await Tool.run("get", "--cache", cache, api.url + "/doc")
        #expect(run.code == 0)
        #expect(run.output == Data(document.utf8))
        #expect(run.error.contains("from the cache"))
        #expect(run.error.contains("stale: the network failed"))
        #expect(run.error.contains("refused"))
    }

    @Test func theObjectHoldsTheBytesAndTheFacts() async throws {
        let api = try StubAPI(json: document)
        let run = try await Tool.run("get", "--json", "--cache", cache, api.url + "/doc")
        #expect(run.code == 0)
        #expect(run.output.starts(with: Data("{\"value\":\(document),\"source\":\"network\",".utf8)))
        #expect(run.output.count { $0 == 0x0A } == 3, "the document's two, and the end of the object's line")
        let object = try run.object()
        #expect(
            Set(object.keys)
                == ["value", "source", "storedAt", "age", "stale", "complete", "reason", "error", "warnings"])
        #expect(object["reason"] as? String == "fetched")
        #expect(object["stale"] as? Bool == false)
        #expect(object["complete"] as? Bool == true)
        #expect(object["error"] is NSNull)
        #expect((object["warnings"] as? [Any])?.isEmpty == true)
        #expect((object["age"] as? Double).map { $0 >= 0 && $0 < 60 } == true)
        let storedAt = try #require(object["storedAt"] as? String)
        #expect(storedAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }

    @Test func whatIsStoredIsAskedForWithItsValidators() async throws {
        let body = Data(document.utf8)
        let api = try StubAPI { request in
            request.headers["If-None-Match"] == "\"v1\""
                ? ServerResponse(status: 304, headers: ["ETag": "\"v1\""])
                : .json(headers: ["ETag": "\"v1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], body)
        }
        _ = try await Tool.run("get", "--cache", cache, api.url + "/doc")
        let run = try await Tool.run("get", "--json", "--cache", cache, api.url + "/doc")
        #expect(api.requests.last?.headers["If-Modified-Since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(try run.object()["source"] as? String == "revalidated")
        #expect(try run.object()["reason"] as? String == "notModified")
        #expect(run.output.starts(with: Data("{\"value\":".utf8) + body))
    }

    @Test func offlineNeverAsks() async throws {
        let api = try StubAPI(json: document)
        _ = try await Tool.run("get", "--cache", cache, api.url + "/doc")
        let run = try await Tool.run("get", "--offline", "--json", "--cache", cache, api.url + "/doc")
        #expect(api.requests.count == 1)
        #expect(run.code == 0)
        #expect(try run.object()["source"] as? String == "cache")
        #expect(try run.object()["reason"] as? String == "cacheOnly")
    }

    @Test func whatIsFreshIsNotAskedForAgain() async throws {
        let api = try StubAPI(json: document)
        _ = try await Tool.run("get", "--cache", cache, "--ttl", "1h", api.url + "/doc")
        let run = try await Tool.run("get", "--json", "--cache", cache, "--ttl", "1h", api.url + "/doc")
        #expect(api.requests.count == 1)
        #expect(try run.object()["reason"] as? String == "fresh")
    }

    @Test func whatIsAskedForInTheBackgroundIsStoredBeforeTheEnd() async throws {
        let api = try StubAPI(json: "[1]")
        _ = try await Tool.run("get", "--cache", cache, api.url + "/doc")
        api.respond(json: "[2]")
        let shown = try await Tool.run(
            "get", "--policy", "stale-while-revalidate", "--json", "--cache", cache, api.url + "/doc")
        #expect(shown.output.starts(with: Data("{\"value\":[1],".utf8)))
        #expect(try shown.object()["reason"] as? String == "staleWhileRevalidate")
        let kept = try await Tool.run("get", "--offline", "--cache", cache, api.url + "/doc")
        #expect(kept.text == "[2]")
    }

    @Test func anAnswerThatComesAfterThePatienceIsStoredAllTheSame() async throws {
        let api = try StubAPI(json: "[1]")
        _ = try await Tool.run("get", "--cache", cache, api.url + "/doc")
        api.respond(json: "[2]")
        let shown = try await Tool.run("get", "--patience", "0", "--json", "--cache", cache, api.url + "/doc")
        #expect(shown.output.starts(with: Data("{\"value\":[1],".utf8)))
        #expect(try shown.object()["reason"] as? String == "patienceRanOut")
        let kept = try await Tool.run("get", "--offline", "--cache", cache, api.url + "/doc")
        #expect(kept.text == "[2]")
    }

    @Test func headersAreSentAndTheirSecretsAreNeverShown() async throws {
        let api = try StubAPI(json: "{}")
        let run = try await Tool.run(
            "get", "--header", "Authorization: Bearer s3cr3t", "--header", "X-One: 1", "--cache", cache,
            api.url + "/me?access_token=s3cr3t")
        #expect(api.requests.last?.headers["Authorization"] == "Bearer s3cr3t")
        #expect(api.requests.last?.headers["X-One"] == "1")
        #expect(run.error.contains("--partition"))
        let list = try await Tool.run("ls", "--cache", cache)
        #expect(list.text.contains("Account credentials-"))
        let object = try await Tool.run("ls", "--json", "--cache", cache)
        #expect(![run.error, run.text, list.text, object.text].contains { $0.contains("s3cr3t") })
    }

    @Test func whatBelongsToAnAccountIsNotShownWithoutIt() async throws {
        let api = try StubAPI(json: "{}")
        for arguments in [["--header", "Cookie: a=1"], ["--partition", "anna"]] {
            _ = try await Tool.start(["get", "--cache", cache, api.url + "/me"] + arguments).end()
        }
        let common = try await Tool.run("get", "--offline", "--cache", cache, api.url + "/me")
        #expect(common.code == 1)
        let anna = try await Tool.run("get", "--offline", "--partition", "anna", "--cache", cache, api.url + "/me")
        #expect(anna.code == 0)
    }

    @Test func othersCredentialsAreNotShownWhatTheFirstWereGiven() async throws {
        let api = try StubAPI { request in .json(Data(#"{"for":"\#(request.headers["Authorization"] ?? "")"}"#.utf8)) }
        let anna = ["get", "--json", "--cache", cache, api.url + "/me", "--header", "Authorization: Bearer anna"]
        let berta = ["get", "--json", "--cache", cache, api.url + "/me", "--header", "Authorization: Bearer berta"]
        _ = try await Tool.start(anna).end()
        let stranger = try await Tool.start(berta + ["--offline"]).end()
        #expect(stranger.code == 1)
        #expect(!stranger.text.contains("anna"))
        _ = try await Tool.start(berta).end()
        for (arguments, name) in [(anna, "anna"), (berta, "berta")] {
            let run = try await Tool.start(arguments + ["--offline"]).end()
            #expect(((try run.object()["value"] as? [String: Any])?["for"] as? String) == "Bearer \(name)")
        }
    }

    @Test func noCredentialsAreInTheCache() async throws {
        let api = try StubAPI(json: "{}")
        _ = try await Tool.run("get", "--cache", cache, "--header", "X-Api-Key: s3cr3t-t0ken", api.url + "/me")
        let files = try FileManager.default.subpathsOfDirectory(atPath: cache)
        #expect(!files.isEmpty)
        for file in files {
            let path = cache + "/" + file
            #expect(!path.contains("s3cr3t"))
            let bytes = FileManager.default.contents(atPath: path) ?? Data()
            #expect(bytes.range(of: Data("s3cr3t-t0ken".utf8)) == nil)
        }
    }

    @Test(arguments: [401, 403, 404, 410])
    func whatAnAnswerForbidsToShowIsSaidToBeStoredStill(status: Int) async throws {
        let api = try StubAPI(json: #"[{"id":1}]"#)
        for command in ["get", "feed"] {
            let arguments = [command, "--cache", cache, api.url + "/\(command)"]
            api.respond { _ in ServerResponse(status: status, body: Data("{}".utf8)) }
            let without = try await Tool.start(arguments).end()
            #expect(without.code == 1)
            #expect(!without.error.contains("still stored"))
            api.respond(json: #"[{"id":1}]"#)
            _ = try await Tool.start(arguments).end()
            api.respond { _ in ServerResponse(status: status, body: Data("{}".utf8)) }
            let run = try await Tool.start(arguments).end()
            #expect(run.code == 1)
            // A document that is gone is not shown again. A list may be there again under the same name.
            let isShown = command == "feed" || ![404, 410].contains(status)
            #expect(run.error.contains("still stored: --offline shows it") == isShown)
            #expect(try await Tool.start(arguments + ["--offline"]).end().code == (isShown ? 0 : 1))
        }
    }

    @Test func withoutACacheNamedTheUsersOwnIsUsed() async throws {
        let api = try StubAPI(json: "{}")
        let run = try await Tool.run("get", api.url + "/doc", environment: ["XDG_CACHE_HOME": scratch.path("xdg")])
        #expect(run.code == 0)
        #expect(FileManager.default.fileExists(atPath: scratch.path("xdg/larder/larder/cache.sqlite")))
    }
}
