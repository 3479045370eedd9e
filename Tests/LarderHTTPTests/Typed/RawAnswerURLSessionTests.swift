import Foundation
import LarderHTTP
import LarderKit
import LarderServer
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct RawAnswerURLSessionTests {
    @Test func aResourceOverURLSessionIsRevalidatedByItsETag() async throws {
        let api = SampleAPI(.init(), start: Date())
        let server = try api.serve(port: 0, now: { Date() }, observe: { _ in })
        defer { server.stop() }
        let url = try #require(URL(string: server.url + "/shops"))
        let larder = Larder.inMemory()
        let shops = larder.common.bytes("shops", expecting: .json) { request in
            try await RawAnswer(URLSession.shared.data(for: request.urlRequest(url)))
        }

        let first = try await shops.read(.networkOnly)
        let second = try await shops.read(.networkOnly)

        #expect(first.source == .network)
        #expect(second.source == .revalidated)
        #expect(second.value == first.value)
        #expect(api.log.map(\.status) == [200, 304])
    }

    @Test func aFeedOverURLSessionKeepsItsPages() async throws {
        let api = SampleAPI(.init(), start: Date())
        let server = try api.serve(port: 0, now: { Date() }, observe: { _ in })
        let base = try #require(URL(string: server.url + "/timeline"))
        let larder = Larder.inMemory()
        let timeline = larder.common.feedOfBytes(
            "timeline", json: JSONItems(), paging: .byID(parameters: [.since, .min, .max])
        ) { page in
            let url = base.appending(queryItems: page.queryItems())
            return try await RawAnswer(URLSession.shared.data(for: page.urlRequest(url)))
        }
        let online = try await timeline.page()
        server.stop()
        let offline = try await timeline.page()

        #expect(online.value.items.count == 20)
        #expect(offline.value.items == online.value.items)
        #expect(offline.source == .cache)
        #expect(offline.failure?.kind == .offline)
    }
}
