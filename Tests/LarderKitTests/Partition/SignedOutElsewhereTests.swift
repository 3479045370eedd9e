import LarderTestKit
import Testing

@testable import LarderKit

/// Another process signs out: this one learns of it when somebody makes a handle, at the latest.
struct SignedOutElsewhereTests {
    @Test func whatLiesInMemoryIsNotShownToWhoSignsInNext() async throws {
        let larder = Larder.inMemory(environment: TestWorld().environment)
        let options = ResourceOptions(storage: .memory)
        _ = try await larder.partition("anna").resource("profile", options: options) { "Anna" }.read()
        try await larder.write { db in _ = try PartitionTable.end("anna", in: db) }

        let next = larder.partition("anna").resource("profile", options: options) { "nobody" }
        #expect(try next.peek() == nil)
    }

    @Test func whoHasNoticedItMaySignInAgain() async throws {
        let larder = Larder.inMemory(environment: TestWorld().environment)
        let former = larder.partition("anna").resource("profile") { "Anna" }
        try await larder.write { db in _ = try PartitionTable.end("anna", in: db) }
        await #expect(throws: LarderError.self) { try await former.store("Anna") }

        let next = larder.partition("anna").resource("profile") { "Bert" }
        #expect(try await next.read().value == "Bert")
    }
}
