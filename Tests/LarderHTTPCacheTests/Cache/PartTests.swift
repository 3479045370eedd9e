import Foundation
import LarderKit
import LarderTestKit
import Testing

@testable import LarderHTTPCache

/// What becomes of the rows of parts, of the ten bytes from 0 to 9.
@Suite(.timeLimit(.minutes(5))) struct PartTests {
    private static let url = "https://api.example.test/t"

    /// - Parameter lacking: How many bytes of a rest are left out, against what its `Content-Range` says.
    private func world(tag: String, control: String = "max-age=600", lacking: Int = 0) -> CacheWorld {
        CacheWorld(.shared) { request in
            let headers: HeaderFields = ["Cache-Control": control, "ETag": tag]
            let ends = request.headers["Range"]?.dropFirst("bytes=".count).split(separator: "-").map { Int($0) ?? 0 }
            guard let first = ends?.first else {
                return ScriptedResponse(headers: headers, body: Data("0123456789".utf8))
            }
            let last = ends?.count == 2 ? ends?.last ?? 9 : 9
            let body = Data("0123456789".utf8)[first...last].dropLast(last == 9 ? lacking : 0)
            return ScriptedResponse(
                status: 206,
                headers: HeaderFields(
                    headers.fields + [.init(name: "Content-Range", value: "bytes \(first)-\(last)/10")]),
                body: Data(body))
        }
    }

    private func rows(_ world: CacheWorld) throws -> [String] {
        try AnswerInspector(world.larder.partition("")).answers(of: Self.url).map(\.name).sorted()
    }

    @Test func partsLieSideBySide() async throws {
        let world = world(tag: "\"a\"")
        for range in ["bytes=1-2", "bytes=5-7"] { _ = try await world.get(headers: ["Range": range]) }
        for (range, text) in [("bytes=1-2", "12"), ("bytes=5-7", "567")] {
            let part = try await world.get(headers: ["Range": range])
            #expect(part.text == text && part.answer.source == .cache)
        }
        #expect(try rows(world).count == 2)
        _ = try await world.get(headers: ["Range": "bytes=5-8"])
        #expect(try rows(world).count == 2, "the longer one took the place of the shorter")
    }

    @Test func aPartDoesNotTakeThePlaceOfTheWholeItIsKeptBeside() async throws {
        let world = world(tag: "W/\"a\"", control: "max-age=1")
        _ = try await world.get()
        await world.clock.advance(by: .seconds(10))
        #expect(try await world.get(headers: ["Range": "bytes=1-2"]).status == 206)
        world.origin.answer { _ in throw FetchFailure(.offline, "no network") }
        #expect(try await world.get().text == "0123456789")
        #expect(try rows(world).count == 2)
    }

    @Test func aPartThatIsCompletedGoes() async throws {
        let world = world(tag: "\"a\"")
        _ = try await world.get(headers: ["Range": "bytes=0-4"])
        _ = try await world.get(headers: ["Range": "bytes=6-7"])
        let whole = try await world.get()
        #expect(whole.status == 200 && whole.text == "0123456789")
        #expect(world.origin.requests.last?.headers["Range"] == "bytes=5-")
        #expect(try rows(world) == [AnswerNames.answers(Self.url)])
        #expect(try await world.get().answer.source == .cache)
    }

    @Test func aRestThatIsTooShortCompletesNothing() async throws {
        let world = world(tag: "\"a\"", lacking: 2)
        _ = try await world.get(headers: ["Range": "bytes=0-4"])
        _ = try? await world.get()
        #expect(try await world.get(policy: .cacheOnly).status == 504)
        #expect(try await world.get(headers: ["Range": "bytes=0-4"]).answer.source == .cache)
    }
}
