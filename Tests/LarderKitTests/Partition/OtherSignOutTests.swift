import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// A handle made before another process has signed out shows nothing of before and nothing of after.
@Suite(.timeLimit(.minutes(5))) struct OtherSignOutTests {
    private let world = TestWorld()
    private let larder: Larder

    init() { larder = .inMemory(environment: world.environment) }

    /// As if whoever signed in next had stored something under the same key.
    private func signOut(_ sql: String = "") async throws {
        try await larder.write { db in
            try db.executeScript(
                "INSERT INTO larder_partition (name, generation) VALUES ('me', 1); \(sql) \(Refitted.rows)")
        }
    }

    @Test(arguments: InvalidationTests.places.indices)
    func `a value`(place: Int) async throws {
        let options = ResourceOptions(storage: InvalidationTests.places[place])
        let resource = larder.partition("me").resource("other", maxAge: .seconds(60), options: options) { 1 }
        _ = try await resource.read()
        try await signOut("UPDATE larder_entry SET body = x'32', stamp = stamp + 1")
        await expectSignedOut { _ = try resource.peek() }
        await expectSignedOut { _ = try await resource.read(.cacheOnly) }
    }

    @Test func `a feed`() async throws {
        let feed = larder.partition("me").feed("f", id: \.self, paging: .cursor()) { _ in Page(["a"], next: nil) }
        _ = try await feed.page()
        try await signOut()
        await expectSignedOut { _ = try feed.timeline() }
        await expectSignedOut { _ = try feed.peek() }
        await expectSignedOut { _ = try feed.anchor() }
        #expect(
            try larder.partition("me").feed("f", id: \.self, paging: .cursor()) { _ in Page(["a"], next: nil) }
                .peek()?.value.items == ["a"])
    }

    private func expectSignedOut(_ body: () async throws -> Void) async {
        await #expect {
            try await body()
        } throws: { error in
            if case .signedOut = error as? LarderError { true } else { false }
        }
    }
}
