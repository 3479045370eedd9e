import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// What is removed is gone in every store, and no answer from before brings it back.
@Suite(.timeLimit(.minutes(5))) struct RemovingTests {
    private typealias Gate = LarderTestKit.Gate

    private let world = TestWorld()
    private let larder: Larder

    init() throws {
        larder = try Larder(.temporary, environment: world.environment)
    }

    private func resource(
        _ key: String, tags: [String] = [], storage: ResourceOptions.Storage = .database,
        _ origin: ScriptedFetch<Void, Int> = ScriptedFetch(Array(repeating: .answer(1), count: 9))
    ) -> Resource<Int> {
        larder.common.resource(key, options: .init(storage: storage, tags: tags)) { try await origin() }
    }

    private func list(_ name: String, _ pages: [Int]...) -> Feed<Item> {
        let origin = ScriptedFetch<Void, Page<Item>>(pages.map { .answer(.last($0.map { Item(id: $0) })) })
        return larder.common.feed(name, paging: .byID) { _ in try await origin() }
    }

    private struct Item: Codable, Identifiable, Sendable {
        let id: Int
    }

    private let places: [ResourceOptions.Storage] = [.database, .files, .memory, .store(MemoryStore())]

    @Test(arguments: 0..<4)
    func `by key, prefix, tag and all, in every store, and nothing else`(place: Int) async throws {
        let storage = places[place]
        let names = [("user/1", ["me"]), ("user/2", []), ("users", ["me"]), ("User/1", []), ("other", [])]
        let resources = names.map { name, tags in resource(name, tags: tags, storage: storage) }
        func gone() throws -> [String] { try zip(names, resources).filter { try $1.peek() == nil }.map(\.0.0) }
        let cases: [(Selection, [String])] = [
            (.key("user/1"), ["user/1"]), (.prefix("user/"), ["user/1", "user/2"]),
            (.prefix("user"), ["user/1", "user/2", "users"]), (.tag("me"), ["user/1", "users"]),
            (.key("nothing"), []), (.tag("nothing"), []), (.prefix("users/"), []),
            (.all, ["user/1", "user/2", "users", "User/1", "other"]),
        ]
        for (selection, expected) in cases {
            for resource in resources { _ = try await resource.read(.networkOnly) }
            let removal = try await larder.common.remove(selection)
            #expect(try gone() == expected)
            #expect(removal.values == expected.count && removal.bytes == expected.count)
        }
    }

    @Test(arguments: 0..<4)
    func `an answer that was asked for before does not bring it back`(place: Int) async throws {
        let gate = Gate()
        let origin = ScriptedFetch<Void, Int>(.answer(1), .gated(gate, 2), .answer(3))
        let resource = resource("k", storage: places[place], origin)
        _ = try await resource.read()
        let early = Task { try await resource.read(.networkOnly) }
        await gate.reached()
        #expect(try await larder.common.remove(.key("k")).values == 1)
        gate.open()
        _ = try await early.value
        // A store of the app's own knows no verdicts: what is put there late is marked, and asked for again.
        if place < 3 { #expect(try resource.peek() == nil) }
        #expect(try await resource.read().value == 3)
        #expect(try resource.peek()?.value == 3)
    }

    @Test func `a list goes with its proofs, and is filled again under the same handle`() async throws {
        let feed = list("list", [3, 2, 1], [9, 8])
        let other = list("other", [1])
        _ = try await other.page()
        _ = try await feed.page()
        try await feed.keep(anchor: "2")
        let removal = try await larder.common.remove(.key("list"))
        #expect(removal.feeds == 1 && removal.items == 3 && removal.values == 0)
        #expect(try feed.peek() == nil && feed.anchor() == nil)
        #expect(try await larder.contents().feeds.map(\.name) == ["other"])
        let page = try await feed.page().value
        #expect(page.items.map(\.id) == [9, 8] && page.isComplete)
        #expect(try feed.gaps().isEmpty)
    }

    @Test func `the key of a value and of a list go together, and another account's stay`() async throws {
        _ = try await resource("both").read()
        _ = try await list("both", [1]).page()
        let hers = larder.partition("anna").resource("both") { 7 }
        _ = try await hers.read()
        let removal = try await larder.common.remove(.key("both"))
        #expect(removal.values == 1 && removal.feeds == 1)
        #expect(try hers.peek()?.value == 7)
        #expect(try await larder.common.remove(.key("both")).isEmpty)
        #expect(try await larder.partitionNames() == ["anna"])
    }

    @Test func `a large value's file goes with its row`() async throws {
        let large = larder.common.bytes("large") { _ in throw FetchFailure(.offline, "nobody is asked") }
        try await large.store(Data(repeating: 1, count: 2 * BlobFolder.threshold))
        let file = try #require(try larder.rowValue(of: StoreKey(key: "large"))?.file)
        #expect(FileManager.default.fileExists(atPath: file.path))
        _ = try await larder.common.remove(.prefix("lar"))
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
