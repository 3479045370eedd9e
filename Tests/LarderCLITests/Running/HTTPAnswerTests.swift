import Foundation
import LarderKit
import LarderServer
import Testing

/// What an HTTP cache keeps, seen by the commands that look after a cache.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HTTPAnswerTests {
    let scratch: Scratch
    let cache: String
    let api: StubAPI

    init() async throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
        api = try StubAPI { request in
            switch request.path {
            case "/fresh":
                .json(headers: ["Cache-Control": "max-age=3600", "ETag": "\"x\""], Data(#"{"a":1}"#.utf8))
            case "/strict":
                .json(headers: ["Cache-Control": "max-age=0, must-revalidate", "ETag": "\"x\""], Data("[]".utf8))
            case "/varied":
                .json(
                    headers: ["Cache-Control": "max-age=3600", "Vary": "Accept-Language, X-Token"],
                    Data("[]".utf8))
            case "/large": .plain(String(repeating: "x", count: 2_500_000))
            default: .json(headers: ["Cache-Control": "no-store"], Data("[]".utf8))
            }
        }
        let urls = ["/fresh", "/strict", "/varied", "/large", "/me?token=s3cr3t"].map { api.url + $0 }
        let run = try await Tool.start(
            [
                "warm", "--cache", cache, "--header", "Accept-Language: de", "--header", "X-Token: s3cr3t", "--rule",
                "127.0.0.1/me=keep-no-store",
            ] + urls
        ).end()
        try #require(run.code == 0, "\(run.error)")
    }

    private func tool(_ command: String, _ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.start([command, "--cache", cache] + arguments).end()
    }

    @Test func answersAreToldApartFromWhatAnAppStored() async throws {
        _ = try await tool("get", api.url + "/typed")
        let text = try await tool("ls").text
        #expect(text.contains("\(api.url)/fresh\n  HTTP answer, 200, "))
        #expect(text.contains(", fresh for 59 min") || text.contains(", fresh for 60 min"))
        #expect(text.contains(", for accept-language: de, x-token: …"))
        #expect(
            text.contains("\(api.url)/me?token=…\n  HTTP answer, 200, ") && text.contains(", kept by an offline rule"))
        #expect(text.contains("\(api.url)/large\n  HTTP answer, 200, 2.5 MB, "))
        #expect(text.contains("\(api.url)/typed\n  document, 2 bytes, "), "marked no-store, and the app's all the same")
        #expect(!text.contains("HTTP body") && !text.contains("s3cr3t"))

        let resources = try #require(try await tool("ls", "--json").object()["resources"] as? [[String: Any]])
        #expect(resources.count == 6)
        func row(_ path: String) -> [String: Any]? { resources.first { $0["key"] as? String == api.url + path } }
        #expect(row("/typed")?["kind"] as? String == "resource")
        #expect(row("/fresh")?["kind"] as? String == "httpAnswer" && row("/fresh")?["fresh"] as? Bool == true)
        #expect(row("/strict")?["fresh"] as? Bool == false)
        #expect(row("/me?token=…")?["keptByRule"] as? Bool == true)
        #expect((row("/large")?["size"] as? Int ?? 0) > 2_500_000 && row("/large")?["complete"] as? Bool == true)
    }

    @Test func aBodyIsShownByteByByteAndItsHeadWithJSON() async throws {
        let run = try await tool("show", api.url + "/fresh")
        #expect(run.code == 0 && run.text == #"{"a":1}"# && run.error.contains("HTTP answer, 200"))
        #expect(try await tool("show", api.url + "/large").output.count == 2_500_000)
        let object = try await tool("show", "--json", api.url + "/fresh").object()
        #expect(object["kind"] as? String == "httpAnswer" && (object["value"] as? [String: Any])?["a"] as? Int == 1)
        let headers = try #require(object["headers"] as? [[String: Any]])
        #expect(headers.contains { $0["name"] as? String == "ETag" && $0["value"] as? String == "\"x\"" })
        #expect(try await tool("show", "--meta", api.url + "/varied").text.contains("varies by   accept-language: de"))
        #expect(try await tool("show", api.url + "/me?token=…").text == "[]", "as it is listed")
        let near = try await tool("show", api.url + "/frash")
        #expect(near.code == 1 && near.error.contains("Did you mean \(api.url)/fresh?"))
    }

    @Test func aDocumentOfTheSameURLComesFirst() async throws {
        _ = try await tool("get", api.url + "/fresh")
        let run = try await tool("show", api.url + "/fresh")
        #expect(run.text == #"{"a":1}"# && run.error.contains("--in http shows it"))
        #expect(
            try await tool("show", "--json", "--in", "http", api.url + "/fresh").object()["kind"] as? String
                == "httpAnswer")
        let kinds = try await tool("explain", "--json", api.url + "/fresh").object()["explanations"] as? [[String: Any]]
        #expect(kinds?.map { $0["kind"] as? String } == ["resource", "httpAnswer"])
        #expect(try await tool("rm", api.url + "/fresh").text.hasPrefix("removed 1 document and 1 HTTP answer, "))
    }

    @Test func whatTheRulesWouldDoIsExplained() async throws {
        func told(_ path: String, _ options: String...) async throws -> [String: Any] {
            let run = try await Tool.start(["explain", "--json", "--cache", cache, api.url + path] + options).end()
            return try #require((try run.object()["explanations"] as? [[String: Any]])?.first)
        }
        let fresh = try await told("/fresh")
        #expect(fresh["decision"] as? String == "show" && fresh["whenUnreachable"] as? String == "served")
        #expect(fresh["lifetimeFrom"] as? String == "max-age=3600 in Cache-Control")
        #expect(fresh["validators"] as? [String] == ["If-None-Match"])
        let strict = try await told("/strict")
        #expect(strict["decision"] as? String == "wait" && strict["whenUnreachable"] as? String == "nothing")
        #expect(strict["forbids"] as? [String] == ["must-revalidate"])
        let ruled = try await told("/strict", "--rule", "*=serve-unvalidated")
        #expect(ruled["decision"] as? String == "ask" && ruled["whenUnreachable"] as? String == "servedByRule")
        let large = try await told("/large")
        #expect(large["lifetimeFrom"] is NSNull && large["decision"] as? String == "ask")
        let text = try await tool("explain", api.url + "/varied").text
        #expect(
            text.contains("varies by     accept-language: de, x-token: …\n")
                && text.contains("rules         none given"))
        #expect(!api.requests.isEmpty && api.requests.count == 5, "nobody was asked")
    }

    @Test func removingAndPinningMeanAllOfTheBody() async throws {
        #expect(try await tool("pin", api.url + "/large").text == "pinned: \(api.url)/large\n")
        let pins = try await tool("pin", "--list")
        #expect(pins.text == "\(api.url)/large\n")
        #expect(try await tool("pin", "--off", api.url + "/large").code == 0)
        #expect(try await tool("pin", "--list").text.isEmpty)
        let run = try await tool("rm", api.url + "/large")
        #expect(run.text == "removed 1 HTTP answer, 2.5 MB\n")
        let list = try await tool("ls", "--json").object()
        #expect(list["leftOverParts"] as? Int == 0 && (list["resources"] as? [Any])?.count == 4)
        #expect(try await tool("rm", "--prefix", api.url).text.hasPrefix("removed 4 HTTP answers, "))
        #expect(try await tool("rm", api.url + "/fresh").code == 1)
    }

    @Test func getShowsAnAnswerWhereNothingElseIsStored() async throws {
        let offline = try await tool("get", "--offline", api.url + "/fresh")
        #expect(offline.code == 0 && offline.text == #"{"a":1}"# && offline.error.contains("HTTP cache"))
        api.stop()
        let object = try await tool("get", "--json", api.url + "/fresh").object()
        #expect((object["value"] as? [String: Any])?["a"] as? Int == 1 && object["source"] as? String == "cache")
        #expect(object["reason"] as? String == "networkFailed")
        #expect(((object["warnings"] as? [[String: Any]])?.first)?["kind"] as? String == "httpAnswer")
        for path in ["/strict", "/large", "/me?token=s3cr3t"] {
            let run = try await tool("get", api.url + path)
            #expect(run.code == 69 && run.output.isEmpty, "may not be served, or is no JSON: \(path)")
            #expect(run.error.contains("An HTTP answer of this URL is stored"))
        }
    }
}
