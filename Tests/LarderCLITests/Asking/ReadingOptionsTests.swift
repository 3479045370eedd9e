import LarderKit
import Testing

@testable import LarderCLI

@Suite struct ReadingOptionsTests {
    private func options(_ arguments: String...) throws -> ReadingOptions {
        try GetCommand(ArgumentParser(spec: GetCommand.spec).parse(arguments + ["http://127.0.0.1/"])).options
    }

    @Test func withoutOptionsTheDefaultsHold() throws {
        let options = try options()
        #expect(options.policy == .cacheFirst)
        #expect(options.maxAge == nil)
        #expect(options.partition.isEmpty)
        #expect(options.remark == nil)
        #expect(options.timeout == .seconds(30))
        #expect(!options.isOffline)
        #expect(!options.isJSON)
    }

    @Test func everyPolicyHasItsName() throws {
        let policies: [(String, ReadPolicy)] = [
            ("cache-first", .cacheFirst), ("network-first", .networkFirst),
            ("stale-while-revalidate", .staleWhileRevalidate), ("cache-only", .cacheOnly),
            ("network-only", .networkOnly),
        ]
        for (name, policy) in policies { #expect(try options("--policy", name).policy == policy) }
    }

    @Test func patienceImpliesNetworkFirst() throws {
        #expect(try options("--patience", "2s").policy == .networkFirst(patience: .seconds(2)))
        #expect(
            try options("--policy", "network-first", "--patience", "2s").policy == .networkFirst(patience: .seconds(2)))
        #expect(throws: UsageError.self) { try options("--policy", "cache-only", "--patience", "2s") }
    }

    @Test func retriesComeOnTopOfTheFirstRequest() throws {
        #expect(try options().retry == .none)
        #expect(try options("--retry", "2").retry.attempts == 3)
        #expect(throws: UsageError.self) { try options("--retry", "100") }
    }

    @Test func offlineIsCacheOnly() throws {
        #expect(try options("--offline").policy == .cacheOnly)
        #expect(try options("--policy", "cache-only").isOffline)
        #expect(throws: UsageError.self) { try options("--offline", "--patience", "1") }
        #expect(throws: UsageError.self) { try options("--offline", "--policy", "cache-first") }
    }

    @Test func credentialsGetAPartitionOfTheirOwnUnlessOneIsNamed() throws {
        let assumed = try options("--header", "Authorization: Bearer x")
        #expect(assumed.partition.hasPrefix("credentials-"))
        #expect(assumed.remark != nil)
        let named = try options("--header", "Authorization: Bearer x", "--partition", "anna")
        #expect(named.partition == "anna")
        #expect(named.remark == nil)
        #expect(try options("--header", "Authorization: Bearer x", "--partition=").partition.isEmpty)
    }
}
