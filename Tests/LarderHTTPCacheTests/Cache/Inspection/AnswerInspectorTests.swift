import Foundation
import LarderKit
import LarderTestKit
import Testing

@testable import LarderHTTPCache

@Suite struct AnswerInspectorTests {
    private let url = "https://api.example.test/t"

    private func world(_ kind: CacheKind = .private, _ headers: HeaderFields, size: Int = 3) async throws -> CacheWorld
    {
        let world = CacheWorld(kind) { _ in
            ScriptedResponse(headers: headers, body: Data(repeating: 0x78, count: size))
        }
        _ = try await world.get(url)
        return world
    }

    @Test func anAnswerIsFoundWithItsWholeBodyAndRemovedWithIt() async throws {
        let world = try await world(.private, ["Cache-Control": "max-age=60"], size: 2_500_000)
        let inspector = AnswerInspector(world.larder.common)
        let found = try #require(try inspector.answers(of: url).first)
        #expect(found.url == url && found.partNames.count == 3)
        var size = 0
        let isWhole = try inspector.readBody(of: found) { size += $0.count }
        #expect(isWhole && size == 2_500_000)
        #expect(try await inspector.remove([found]) > 2_500_000)
        #expect(try inspector.answers(of: url).isEmpty)
        #expect(try await world.larder.contents().values.isEmpty)
    }

    @Test func aPinIsOfAllPartsAndGoesOnToTheBodyThatComesNext() async throws {
        let world = try await world(.private, ["Cache-Control": "max-age=60"], size: 2_500_000)
        let inspector = AnswerInspector(world.larder.common)
        try await inspector.pin(try inspector.answers(of: url), true)
        await world.clock.advance(by: .seconds(120))
        _ = try await world.get(url)
        let found = try #require(try inspector.answers(of: url).first)
        #expect(Set(try world.larder.pins().map(\.name)) == Set([found.name] + found.partNames))
        #expect(try await inspector.unpin(url, among: try world.larder.pins()))
    }

    @Test func theKindOfCacheThatStoredItShows() async throws {
        let shared = try await world(.shared, ["Cache-Control": "max-age=60, s-maxage=600"])
        #expect(try AnswerInspector(shared.larder.common).answers(of: url).first?.kind == .shared)
        let own = try await world(.private, ["Cache-Control": "max-age=60, s-maxage=600"])
        #expect(try AnswerInspector(own.larder.common).answers(of: url).first?.kind == .private)
        let marked = try await world(.private, ["Cache-Control": "private, max-age=60"])
        #expect(try AnswerInspector(marked.larder.common).answers(of: url).first?.kind == .private)
    }
}

@Suite struct AnswerRowTests {
    @Test func rowsAreToldByTheirNames() {
        #expect(AnswerRow(name: "HTTP https://a.test/") == .answer(url: "https://a.test/"))
        #expect(AnswerRow(name: "HTTP https://a.test/\n12ab") == .answer(url: "https://a.test/"))
        #expect(AnswerRow(name: "HTTP body 12/0") == .bodyPart)
        #expect(AnswerRow(name: "HTTP is fine") == nil && AnswerRow(name: "https://a.test/") == nil)
    }
}
