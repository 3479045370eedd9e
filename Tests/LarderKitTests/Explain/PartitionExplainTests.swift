import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5))) struct PartitionExplainTests {
    private let folder: TestFolder
    private let world = TestWorld()
    private let larder: Larder

    init() throws {
        folder = try TestFolder()
        larder = try Larder(.folder(folder.url), environment: world.environment)
    }

    @Test func `whatever is stored under a key is explained, each by itself`() async throws {
        #expect(try larder.common.explain("k").isEmpty)
        _ = try await larder.common.resource("k", options: .init(tags: ["t"])) { 1 }.read()
        _ = try await larder.common.resource("k", options: .init(storage: .files)) { 2 }.read()
        _ = try await larder.common.feed("k", id: \.self, paging: .cursor(order: .ranked)) { _ in Page(["a"], next: nil)
        }
        .page()
        let found = try larder.common.explain("k", maxAge: .seconds(60))
        #expect(
            found.map(\.subject) == [
                .resource(storage: "database"), .resource(storage: "files"), .feed(.newest),
            ])
        #expect(found.allSatisfy { $0.decision == .show(.fresh) && $0.trouble == nil && $0.stored != nil })
        #expect(found[0].tags == ["t"])
        #expect(found[2].page?.items == 1)
        #expect(try larder.common.explain("other").isEmpty && larder.partition("anna").explain("k").isEmpty)
        #expect(try larder.common.explain("k", policy: .networkOnly).allSatisfy { $0.decision == .wait(.policy) })
    }

    @Test func `a request of another process is told`() async throws {
        _ = try await larder.common.resource("k") { 1 }.read()
        let other = getppid()
        let expires = world.clock.now().millisecondsSince1970 + 1000
        try await larder.write { db in
            try db.execute(
                """
                INSERT INTO larder_lease (partition, kind, name, holder, stamp, expires)
                VALUES ('', 'resource', 'k', \("\(other) 1"), 1, \(expires))
                """)
        }
        let explanation = try #require(try larder.common.explain("k").first)
        #expect(explanation.network.underWay == .anotherProcess)
        #expect(explanation.sentence.hasSuffix("it waits for the request of another process"))
        await world.advance(by: .seconds(2))
        #expect(try larder.common.explain("k").first?.network.underWay == .nobody)
    }

    @Test func `a closed larder throws`() async throws {
        larder.close()
        #expect(throws: LarderError.self) { try larder.common.explain("k") }
    }
}
