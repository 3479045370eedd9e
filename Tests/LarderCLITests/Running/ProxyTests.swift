import Foundation
import LarderKit
import LarderServer
import Testing

@testable import LarderCLI

@Suite(.serialized, .timeLimit(.minutes(5))) struct ProxyTests {
    let scratch: Scratch
    let cache: String

    init() throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
    }

    private static func answer(_ request: ServerRequest) -> ServerResponse {
        switch request.path {
        case "/fresh": .json(headers: ["Cache-Control": "max-age=3600"], Data("1".utf8))
        case "/secret": .json(headers: ["Cache-Control": "no-store"], Data("2".utf8))
        default: .json(headers: ["ETag": "\"x\""], Data("3".utf8))
        }
    }

    @Test func whatWasAskedForIsServedWhenTheOriginIsGoneAndByTheNextProxyAsWell() async throws {
        let api = try StubAPI(Self.answer)
        let proxy = try await RunningProxy([api.url], cache: cache)
        #expect(try await proxy.fetch("/fresh").cacheStatus.contains("fwd=uri-miss"))
        #expect(try await proxy.get("/fresh").cacheStatus.contains("hit"))
        #expect(try await proxy.fetch("/tagged").text == "3")
        api.stop()
        #expect(try await proxy.get("/tagged").cacheStatus.contains("on"), "served on the error")
        #expect(try await proxy.get("/other?token=s3cr3t").status == 502)
        let end = try await proxy.end()
        #expect(end.code == 0)
        let lines = end.text.split(separator: "\n").filter { !$0.contains("/.larder/") }
        #expect(lines.count == 5)
        #expect(lines.first?.contains(" 127.0.0.1 GET /fresh 200 miss 1 byte ") == true)
        #expect(
            lines.last?.contains(" GET /other?… 502 failed ") == true
                && lines.last?.hasSuffix(" ms (unreachable)") == true)
        #expect(!end.text.contains("s3cr3t"))

        let offline = try await RunningProxy(["--offline", "--json", api.url], cache: cache)
        #expect(try await offline.get("/fresh").text == "1")
        #expect(try await offline.get("/other").status == 504)
        let text = try await offline.end().text
        let last = try #require(text.split(separator: "\n").last)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
        #expect(object["result"] as? String == "failed" && object["detail"] as? String == "offline")
    }

    @Test func aRuleKeepsWhatTheOriginForbidsToKeep() async throws {
        let api = try StubAPI(Self.answer)
        let proxy = try await RunningProxy(["--rule", "127.0.0.1=keep-no-store", api.url], cache: cache)
        #expect(try await proxy.fetch("/secret").text == "2")
        #expect(try await proxy.fetch("/secret").text == "2" && api.requests.count == 2)
        api.stop()
        #expect(try await proxy.get("/secret").cacheStatus.contains("offline-rule"))
        _ = try await proxy.end()
        let text = try await Tool.run("ls", "--cache", cache).text
        #expect(text.contains("/secret\n  HTTP answer, 200, ") && text.contains(", kept by an offline rule"))
    }

    @Test func twoProxiesOnOneFolderServeWhatEitherHasFetched() async throws {
        let api = try StubAPI(Self.answer)
        let first = try await RunningProxy([api.url], cache: cache)
        let second = try await RunningProxy(["--offline", api.url], cache: cache)
        #expect(try await second.get("/fresh").status == 504)
        #expect(try await first.fetch("/fresh").text == "1")
        #expect(try await second.get("/fresh").text == "1")
        #expect(try await second.end().code == 0)
        #expect(try await first.end().code == 0)
    }

    @Test func originsStandBehindPathsAndHosts() async throws {
        let (one, two) = (try StubAPI(json: "1"), try StubAPI(json: "2"))
        let proxy = try await RunningProxy(["/one=\(one.url)", "two.test=\(two.url)/deep"], cache: cache)
        #expect(try await proxy.get("/one/x?y").text == "1" && one.targets == ["/x?y"])
        #expect(
            try await proxy.get("/one/z", headers: ["Host": "two.test"]).text == "2" && two.targets == ["/deep/one/z"])
        #expect(try await proxy.get("/elsewhere").status == 404)
        #expect(try await proxy.get("/.larder/status").text.contains("\"requests\":"))
        _ = try await proxy.end()
    }

    @Test func aHostThatIsNotOfThisMachineIsServedWhereItIsNamed() async throws {
        let api = try StubAPI(json: "1")
        let proxy = try await RunningProxy(["--host", "Api.local", api.url], cache: cache)
        #expect(try await proxy.get("/x", headers: ["Host": "api.local:80"]).text == "1")
        let answer = try await proxy.get("/x", headers: ["Host": "other.test"])
        #expect(answer.status == 421 && answer.text.contains("--host other.test"))
        _ = try await proxy.end()
    }

    @Test func aTakenPortIsAFailureThatNamesIt() async throws {
        let taken = try HTTPServer { _ in .plain("") }
        let run = try await Tool.run(
            "proxy", "--cache", cache, "--listen", "127.0.0.1:\(taken.port)", "http://a.test")
        #expect(run.code == 69 && run.error.contains("port \(taken.port)"))
    }

    @Test(arguments: [
        [], ["nowhere"], ["http://u:s3cr3t@a.test"], ["http://a.test", "http://b.test"],
        ["--listen", "x", "http://a.test"], ["--private", "--shared", "http://a.test"],
        ["--rule", "a=b", "http://a.test"], ["--no-vary", "a b", "http://a.test"],
        ["--budget", "big", "http://a.test"], ["--host", "a:80", "http://a.test"], ["a.test:80=http://a.test"],
    ])
    func whatMakesNoSenseIsAMistakeOfTheCommandLine(arguments: [String]) async throws {
        let run = try await Tool.start(["proxy", "--cache", cache] + arguments).end()
        #expect(run.code == 64 && !run.error.contains("s3cr3t"))
        #expect(!FileManager.default.fileExists(atPath: cache))
    }
}
