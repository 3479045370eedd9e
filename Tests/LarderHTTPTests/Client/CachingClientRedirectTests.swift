import Foundation
import LarderHTTP
import LarderKit
import LarderTestKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct CachingClientRedirectTests {
    @Test func eachHopGoesThroughTheCache() async throws {
        let world = ClientWorld { request in
            request.url.hasSuffix("/new")
                ? answer("here", ["Cache-Control": "max-age=60"])
                : answer("", status: 301, ["Location": "/new", "Cache-Control": "max-age=60"])
        }
        let client = world.client()
        for _ in 0..<2 {
            let got = try await world.get("/old", by: client)
            #expect(got.text == "here" && got.response.url?.path() == "/new")
            await waitUntil { client.cache.exchangeCount == 0 }
        }
        #expect(world.origin.requests.count == 2)
    }

    @Test func secretsStayWithTheirOrigin() async throws {
        let world = ClientWorld { request in
            request.url.contains("other")
                ? answer("there") : answer("", status: 302, ["Location": "https://other.example.test/x"])
        }
        let fields = ["Authorization": "Bearer a", "Cookie": "b=c", "X-Api-Key": "d", "Accept": "text/plain"]
        #expect(try await world.get(headers: fields).text == "there")
        let last = try #require(world.origin.requests.last)
        for name in ["Authorization", "Cookie", "X-Api-Key"] { #expect(last.headers[name] == nil) }
        #expect(last.headers["Accept"] == "text/plain")
        #expect(world.origin.requests[0].headers["Authorization"] == "Bearer a")
    }

    @Test func aRingOfRedirectsEnds() async throws {
        let world = ClientWorld { _ in answer("", status: 302, ["Location": "/t", "Cache-Control": "no-store"]) }
        await #expect(throws: FetchFailure.self) { try await world.get() }
        #expect(world.origin.requests.count == 21)
    }

    @Test(arguments: [
        (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"), (307, "POST", "POST"),
        (308, "PUT", "PUT"), (302, "PUT", "PUT"), (303, "HEAD", "HEAD"), (302, "GET", "GET"),
    ]) func theMethodIsWhatTheStatusSays(_ status: Int, _ method: String, _ next: String) async throws {
        let world = ClientWorld { request in
            if request.url.hasSuffix("/t") { return answer("", status: status, ["Location": "/next"]) }
            return answer(request.method == "HEAD" ? "" : request.headers["Content-Type"] ?? "-")
        }
        var request = try ClientWorld.request("/t", method: method, headers: ["Content-Type": "text/plain"])
        if method.hasPrefix("P") { request.httpBody = Data("body".utf8) }
        let (data, _) = try await world.client().data(for: request)
        #expect(world.origin.requests.map(\.method) == [method, next])
        let keepsContent = method == next
        #expect(String(decoding: data, as: UTF8.self) == (method == "HEAD" ? "" : keepsContent ? "text/plain" : "-"))
    }

    @Test(arguments: [
        "", "ftp://other.example.test/", "https://user:secret@api.example.test/", "mailto:a@example.test",
    ])
    func whatLeadsNowhereIsAnAnswer(_ location: String) async throws {
        let world = ClientWorld { _ in answer("moved", status: 302, location.isEmpty ? [:] : ["Location": location]) }
        let got = try await world.get()
        #expect(got.status == 302 && got.text == "moved")
    }
}
