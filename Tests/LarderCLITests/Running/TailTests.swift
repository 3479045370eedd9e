import Foundation
import LarderKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct TailTests {
    @Test func whatAnotherProcessCommitsIsToldLive() async throws {
        let cache = try FilledCache()
        try await cache.fill { larder in try await larder.common.put("before", Data("1".utf8)) }
        let tail = try Tool.start(["tail", "--json", "--count", "2", "--cache", cache.path])
        // Told from whatever moment it begins: it is changed until that is seen.
        let larder = try Larder(.folder(URL(fileURLWithPath: cache.path, isDirectory: true)))
        defer { larder.close() }
        let changing = Task {
            var number = 0
            while !Task.isCancelled {
                try await larder.partition("anna").put("https://a.example/?token=s3cr3t", Data("\(number)".utf8))
                number += 1
                await Task.yield()
            }
        }
        let run = try await tail.end()
        changing.cancel()
        #expect(run.code == 0)
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 2 && !run.text.contains("s3cr3t"))
        // The first may be of what was committed while listening began: everything.
        let last = Data(try #require(lines.last).utf8)
        let object = try #require(try JSONSerialization.jsonObject(with: last) as? [String: Any])
        #expect(object["changed"] as? String == "resource" && object["partition"] as? String == "anna")
        #expect(object["key"] as? String == "https://a.example/?token=…")
    }

    @Test func aCacheThatIsNotThereIsNotMade() async throws {
        let scratch = try Scratch()
        let run = try await Tool.run("tail", "--cache", scratch.path("none"))
        #expect(run.code == 3)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("none")))
    }
}
