import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// Whatever ends a sign-out before its time, whoever signs in next finds nothing of before.
@Suite(.timeLimit(.minutes(5))) struct SignOutOrderTests {
    private let folder: TestFolder
    private let larder: Larder

    init() throws {
        folder = try TestFolder()
        larder = try Larder(.folder(folder.url), environment: TestWorld().environment)
    }

    @Test func `files are gone before the next generation begins`() async throws {
        let me = larder.partition("me")
        _ = try await me.resource("k", options: .init(storage: .files)) { 1 }.read()
        #expect(folder.contents().contains { $0.hasSuffix(".entry") })
        try await larder.write { db in
            try db.executeScript(
                """
                CREATE TRIGGER full BEFORE INSERT ON larder_partition
                BEGIN SELECT RAISE(ABORT, 'as if the process ended here'); END
                """)
        }
        await #expect(throws: LarderError.self) { try await me.signOut() }
        #expect(!folder.contents().contains { $0.hasSuffix(".entry") })
    }

    @Test func `the app's own stores are emptied also where another process was the first to sign out`() async throws {
        let store = MemoryStore()
        let options = ResourceOptions(storage: .store(store))
        let me = larder.partition("me")
        _ = try await me.resource("k", options: options) { 1 }.read()
        try await larder.write { db in
            try db.executeScript("INSERT INTO larder_partition (name, generation) VALUES ('me', 1)")
        }
        try await me.signOut()
        #expect(store.entry(for: StoreKey(partition: "me", key: "k")) == nil)
        #expect(try larder.partition("me").resource("k", options: options) { 2 }.peek() == nil)
    }
}
