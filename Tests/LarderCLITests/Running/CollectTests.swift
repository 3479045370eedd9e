import Foundation
import LarderKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct CollectTests {
    let cache: FilledCache

    init() async throws {
        cache = try FilledCache()
        try await cache.fill { larder in
            for number in 0..<6 {
                try await larder.common.put("large \(number)", Data(repeating: UInt8(number), count: 300_000))
            }
            try await larder.common.putList("list", [3, 2, 1])
        }
    }

    private func collect(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.start(["gc", "--cache", cache.path] + arguments).end()
    }

    private func keys() async throws -> [String] {
        let object = try await Tool.run("ls", "--json", "--cache", cache.path).object()
        return (object["resources"] as? [[String: Any]] ?? []).compactMap { $0["key"] as? String }
    }

    @Test func withoutABudgetNothingIsForgotten() async throws {
        let run = try await collect("--json")
        #expect(run.code == 0)
        #expect((try run.object()["trimmed"] as? [String: Int])?["values"] == 0)
        #expect(try await keys().count == 6)
    }

    @Test func whatWouldGoIsToldAndThenGoes() async throws {
        _ = try await Tool.run("pin", "--cache", cache.path, "large 0")
        let dry = try await collect("--budget", "1.3MB", "--dry-run", "--json").object()
        let foreseen = try #require(dry["trimmed"] as? [String: Int])
        #expect((foreseen["values"] ?? 0) > 0 && dry["after"] is NSNull)
        #expect(try await keys().count == 6)
        let run = try await collect("--budget", "1.3MB", "--json")
        #expect(run.code == 0)
        let after = try #require(try run.object()["after"] as? [String: Int])
        #expect((after["total"] ?? .max) <= 1_300_000)
        let left = try await keys()
        #expect(left.contains("large 0") && left.count < 6)
        #expect(try await Tool.run("verify", "--cache", cache.path).code == 0)
    }

    @Test func aFileThatNothingHasIsSwept() async throws {
        let blobs = cache.path + "/blobs/ab"
        try FileManager.default.createDirectory(atPath: blobs, withIntermediateDirectories: true)
        let orphan = blobs + "/" + String(repeating: "ab", count: 16)
        try Data(repeating: 1, count: 1000).write(to: URL(fileURLWithPath: orphan))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -86_400)], ofItemAtPath: orphan)
        let object = try await collect("--json").object()
        #expect(object["orphanedFiles"] as? Int == 1 && object["orphanedBytes"] as? Int == 1000)
        #expect(!FileManager.default.fileExists(atPath: orphan))
    }

    @Test(arguments: [["--budget", "much"], ["--dry-run"], ["--budget", "1MB", "--dry-run", "--thorough"], ["a"]])
    func aMistakeOfTheCommandLineIsTold(arguments: [String]) async throws {
        #expect(try await Tool.start(["gc", "--cache", cache.path] + arguments).end().code == 2)
    }
}
