import Foundation
import LarderKit
import LarderTestKit
import Synchronization
import Testing

@testable import LarderHTTPCache

/// Answers of real servers through the cache, from a server that goes by their validators as GitHub does: an unchanged thing is
/// answered 304, with the strong form of a weak tag, and counts against no rate limit.
@Suite(
    .enabled(
        if: RecordedExchanges.folder != nil,
        "the recordings are not in the repository; LARDER_RECORDINGS names their folder"))
struct RecordedExchangesTests {
    @Test(arguments: RecordedExchanges.all())
    func whatIsUnchangedIsNotSentTwice(recording: RecordedExchanges.Answer) async throws {
        let server = ConditionalServer(recording)
        let world = CacheWorld { try server.answer($0) }
        world.clock.set(wall: recording.date ?? CacheWorld.start)
        let directives = CacheControl(recording.headers)
        let first = try await world.get(recording.url, headers: recording.requestHeaders)
        #expect(first.status == recording.status && first.text == recording.body)
        let isStored = !directives.noStore && recording.status == 200
        let asked = server.count

        await world.clock.advance(by: .seconds(30))
        let second = try await world.get(recording.url, headers: recording.requestHeaders)
        #expect(second.text == recording.body)
        let isFresh = isStored && (directives.maxAge ?? 0) > 30 && !directives.noCache
        if isFresh { #expect(server.count == asked) }

        await world.clock.advance(by: .seconds(3600))
        let before = server.sentBodies
        let third = try await world.get(recording.url, headers: recording.requestHeaders)
        #expect(third.status == recording.status && third.text == recording.body)
        if isStored, recording.headers["ETag"] != nil {
            #expect(server.sentBodies == before)
            #expect(third.answer.source == .revalidated)
        }
        if directives.noStore {
            let rows = try await world.larder.partition("").count()
            #expect(rows == 0)
        }
    }

    @Test func thereAreSomeOfEachKind() {
        let all = RecordedExchanges.all()
        #expect(all.contains { $0.headers["ETag"]?.hasPrefix("W/") == true })
        #expect(all.contains { $0.headers["ETag"]?.hasPrefix("\"") == true })
        #expect(all.contains { CacheControl($0.headers).noStore })
    }
}

extension Partition {
    /// How many answers and values are stored for it.
    fileprivate func count() async throws -> Int {
        try AnswerStorage(self).states("HTTP ").count
    }
}

/// Gives one recorded answer for as long as nobody has it.
private final class ConditionalServer: Sendable {
    private let recording: RecordedExchanges.Answer
    private let state = Mutex((count: 0, bodies: 0))

    init(_ recording: RecordedExchanges.Answer) { self.recording = recording }

    var count: Int { state.withLock { $0.count } }
    /// What a rate limit counts.
    var sentBodies: Int { state.withLock { $0.bodies } }

    func answer(_ request: HTTPRequestHead) throws -> ScriptedResponse {
        state.withLock { $0.count += 1 }
        let tag = recording.headers["ETag"]
        if let tag, request.headers["If-None-Match"] == tag {
            let strong = tag.hasPrefix("W/") ? String(tag.dropFirst(2)) : tag
            let fields = recording.headers.fields.filter { $0.name.lowercased() != "content-length" }.map {
                $0.name.lowercased() == "etag" ? HeaderFields.Field(name: $0.name, value: strong) : $0
            }
            return ScriptedResponse(status: 304, headers: HeaderFields(fields))
        }
        state.withLock { $0.bodies += 1 }
        return ScriptedResponse(
            status: recording.status, headers: recording.headers, body: Data(recording.body.utf8))
    }
}

/// Recordings of real servers are not the project's to publish.
enum RecordedExchanges {
    struct Answer: Sendable, CustomTestStringConvertible {
        let name: String
        let url: String
        let requestHeaders: HeaderFields
        let status: Int
        let headers: HeaderFields
        let body: String

        var testDescription: String { name }
        var date: Date? { headers["Date"].flatMap { HTTPDate.parse($0, now: Date()) } }
    }

    static var folder: URL? {
        ProcessInfo.processInfo.environment["LARDER_RECORDINGS"].map { URL(fileURLWithPath: $0, isDirectory: true) }
    }

    /// Those that brought a body, without what describes how it was sent, and what the client had to say of its own.
    static func all() -> [Answer] {
        guard let folder, let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            return []
        }
        return names.sorted().filter { $0.hasSuffix(".json") && $0 != "index.json" }.flatMap { name -> [Answer] in
            let file = folder.appendingPathComponent(name)
            guard let data = try? Data(contentsOf: file),
                let recording = try? JSONDecoder().decode(Recording.self, from: data)
            else { return [] }
            return recording.exchanges.enumerated().compactMap { index, exchange in
                guard exchange.request.method == "GET", exchange.response.status == 200 else { return nil }
                let response = exchange.response
                return Answer(
                    name: "\(name) \(index)", url: exchange.request.url,
                    requestHeaders: HeaderFields(
                        exchange.request.fields.filter { !$0.name.lowercased().hasPrefix("if-") }),
                    status: response.status,
                    headers: HeaderFields(
                        response.fields.filter {
                            !["content-length", "content-encoding", "transfer-encoding"].contains($0.name.lowercased())
                        }),
                    body: response.bodyText ?? "")
            }
        }
    }

    private struct Recording: Decodable {
        let exchanges: [Exchange]
    }

    private struct Exchange: Decodable {
        let request: Request
        let response: Response
    }

    private struct Request: Decodable {
        let method: String
        let url: String
        let headers: [[String]]?

        var fields: [HeaderFields.Field] {
            (headers ?? []).filter { $0.count == 2 }.map { HeaderFields.Field(name: $0[0], value: $0[1]) }
        }
    }

    private struct Response: Decodable {
        let status: Int
        let headers: [[String]]
        let bodyText: String?

        var fields: [HeaderFields.Field] {
            headers.filter { $0.count == 2 }.map { HeaderFields.Field(name: $0[0], value: $0[1]) }
        }
    }
}
