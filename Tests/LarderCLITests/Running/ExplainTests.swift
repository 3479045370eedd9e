import Foundation
import LarderKit
import LarderServer
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ExplainTests {
    let scratch: Scratch
    let cache: String

    init() throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
    }

    private func explained(_ arguments: String...) async throws -> [[String: Any]] {
        let run = try await Tool.start(["explain", "--json", "--cache", cache] + arguments).end()
        #expect(run.code == 0)
        let object = try run.object()
        #expect(object["error"] is NSNull)
        return try #require(object["explanations"] as? [[String: Any]])
    }

    @Test func whatIsStoredIsExplainedAndNothingIsAsked() async throws {
        let api = try StubAPI { _ in
            .json(headers: ["ETag": "\"v1\"", "Cache-Control": "max-age=3600"], Data(#"[{"id":2},{"id":1}]"#.utf8))
        }
        _ = try await Tool.run("get", "--cache", cache, api.url + "/x")
        _ = try await Tool.run("feed", "--cache", cache, api.url + "/x")
        let asked = api.requests.count
        let found = try await explained(api.url + "/x")
        #expect(found.map { $0["kind"] as? String } == ["resource", "feed"])
        #expect(found[0]["decision"] as? String == "show" && found[0]["fresh"] as? Bool == true)
        #expect(found[0]["lifetime"] as? Double == 3600 && found[0]["lifetimeFrom"] as? String == "server")
        #expect(found[0]["validators"] as? [String] == ["ETag"])
        #expect(found[0]["storage"] as? String == "database" && found[0]["bytes"] as? Int == 19)
        #expect(found[1]["items"] as? Int == 2 && found[1]["gapsBelow"] as? Int == 0)
        let stale = try await explained("--ttl", "0", api.url + "/x")
        #expect(stale.map { $0["decision"] as? String } == ["ask", "ask"])
        #expect(stale[1]["asked"] as? String == "wholePage")
        let offline = try await explained("--policy", "cache-only", "--ttl", "0", api.url + "/x")
        #expect(offline.allSatisfy { $0["decision"] as? String == "show" })
        #expect(api.requests.count == asked)

        let text = try await Tool.run("explain", "--cache", cache, api.url + "/x").text
        #expect(text.contains("\(api.url)/x\n  a read      shows what is stored, which is fresh, and asks nobody\n"))
        #expect(text.contains("  lifetime    60 min, by the server\n"))
        #expect(text.contains("  page        2 items, incomplete\n"))
    }

    @Test(arguments: [[], ["--json"]])
    func whatIsNotStoredIsSaidWithWhatMayHaveBeenMeant(options: [String]) async throws {
        let api = try StubAPI(json: "[]")
        _ = try await Tool.run("get", "--cache", cache, "--partition", "anna", api.url + "/prices")
        _ = try await Tool.run("get", "--cache", cache, api.url + "/shops")
        _ = try await Tool.run("feed", "--cache", cache, "--items", "data", "--offline", api.url + "/list")
        for (key, words) in [
            ("/shop", "Did you mean \(api.url)/shops?"), ("/prices", "It is stored for anna: say so with --partition."),
        ] {
            let run = try await Tool.start(["explain", "--cache", cache, api.url + key] + options).end()
            #expect(run.code == 1)
            #expect(run.error.contains(words), "\(run.error)")
            if options == ["--json"] {
                let error = try #require(try run.object()["error"] as? [String: Any])
                #expect(error["kind"] as? String == "notStored")
            }
        }
        let missing = try await Tool.start(["explain", "--cache", scratch.path("none"), "k"] + options).end()
        #expect(missing.code == 66)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("none")))
    }

    @Test func aKeyIsFoundAsItIsShownAndItsSecretStaysOne() async throws {
        let api = try StubAPI(json: "[]")
        _ = try await Tool.run("get", "--cache", cache, api.url + "/me?token=s3cr3t")
        for key in [api.url + "/me?token=…", api.url + "/me?token=s3cr3t"] {
            for options in [[], ["--json"]] {
                let run = try await Tool.start(["explain", "--cache", cache, key] + options).end()
                #expect(run.code == 0)
                #expect(run.text.contains("/me?token=…") && !run.text.contains("s3cr3t"))
            }
        }
        let near = try await Tool.run("explain", "--cache", cache, api.url + "/mi?token=s3cr3t")
        #expect(near.code == 1 && !near.error.contains("s3cr3t"))
    }

    @Test func getAndFeedTellBeforehandWhatTheyWillDo() async throws {
        let api = try StubAPI(json: #"[{"id":1}]"#)
        let first = try await Tool.run("get", "--explain", "--cache", cache, api.url + "/doc")
        #expect(first.text == #"[{"id":1}]"#)
        #expect(first.error.hasPrefix("larder get: before the reading:\n  a read     asks, and waits for the answer"))
        #expect(first.error.contains("\(api.url): may be asked"))
        for (command, place) in [("get", "/doc"), ("feed", "/list")] {
            let plain = try await Tool.run(command, "--json", "--cache", cache, api.url + place)
            #expect(try plain.object()["explain"] == nil)
            let run = try await Tool.run(command, "--json", "--explain", "--cache", cache, api.url + place)
            let explanation = try #require(try run.object()["explain"] as? [String: Any])
            #expect(explanation["decision"] as? String == "ask")
            #expect(explanation["origin"] as? String == api.url)
            #expect(!run.error.contains("before the reading"))
        }
        let refused = try await Tool.run("feed", "--explain", "--cache", cache, api.url + "/list", "all")
        #expect(refused.code == 64)
    }

    @Test func aRequestThatMaySucceedLaterIsMadeAgain() async throws {
        let api = try StubAPI(json: "[]")
        api.respond { [weak api] _ in
            (api?.requests.count ?? 0) < 2 ? ServerResponse(status: 503, body: Data()) : .json(Data("[1]".utf8))
        }
        let run = try await Tool.run("get", "--retry", "2", "--cache", cache, api.url + "/doc")
        #expect(run.text == "[1]" && api.requests.count == 2)
        let totals = try #require(
            try await Tool.run("stats", "--json", "--cache", cache).object()["totals"] as? [String: Any])
        #expect(totals["retries"] as? Int == 1 && totals["requests"] as? Int == 2)
    }
}
