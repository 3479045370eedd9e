import Foundation
import LarderHTTP
import LarderKit
import LarderSQLite
import LarderTestKit
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5))) struct CachingClientTests {
    @Test func aWeakTagIsConfirmedByItsStrongForm() async throws {
        let world = ClientWorld { request in
            guard request.headers["If-None-Match"] != nil else {
                return answer("test", ["Cache-Control": "private, max-age=60, s-maxage=60", "ETag": "W/\"170ee1\""])
            }
            return answer("", status: 304, ["Cache-Control": "private, max-age=60", "ETag": "\"170ee1\""])
        }
        let client = world.client()
        _ = try await world.get(by: client)
        await world.clock.advance(by: .seconds(61))
        let second = try await world.get(by: client)
        #expect(second.status == 200 && second.text == "test")
        #expect(second.cache?.isRevalidated == true && second.cache?.isHit == false)
        #expect(world.origin.requests.map { $0.headers["If-None-Match"] } == [nil, "W/\"170ee1\""])
    }

    @Test func variantsAreKeptApartWhateverTheCaseOfTheirNames() async throws {
        let world = ClientWorld { request in
            answer(
                request.headers["Accept-Language"] ?? "none",
                ["Cache-Control": "max-age=600", "Vary": request.url.hasSuffix("/s") ? "*" : "accept-language"])
        }
        let client = world.client()
        let names = ["Accept-Language", "ACCEPT-LANGUAGE", "accept-language"]
        for (name, language) in zip(names, ["en", "de", "en"]) {
            #expect(try await world.get(headers: [name: language], by: client).text == language)
        }
        #expect(world.origin.requests.count == 2)
        for _ in 0..<2 { _ = try await world.get("/s", by: client) }
        #expect(world.origin.requests.count == 4)
    }

    @Test func anAnswerThatIsOldAlreadyIsFreshForTheRestOnly() async throws {
        let ages = Mutex(["290", "290, 5", "abc"])
        let world = ClientWorld { _ in
            let age = ages.withLock { $0.removeFirst() }
            return answer(age, ["Cache-Control": "max-age=300", "Age": age])
        }
        let client = world.client()
        _ = try await world.get(by: client)
        await world.clock.advance(by: .seconds(9))
        let kept = try await world.get(by: client)
        #expect(kept.field("Age") == "299" && kept.cache?.isHit == true && kept.cache?.timeToLive == 1)
        await world.clock.advance(by: .seconds(2))
        #expect(try await world.get(by: client).text == "290, 5")
        await world.clock.advance(by: .seconds(19))
        #expect(try await world.get(by: client).text == "abc")
        await world.clock.advance(by: .seconds(30))
        #expect(try await world.get(by: client).cache?.isHit == true)
    }

    @Test func aChangeEndsWhatItNamesAndNothingElse() async throws {
        let status = Mutex(500)
        let world = ClientWorld { request in
            guard request.method == "GET" else {
                return answer(
                    "no", status: status.withLock { $0 }, ["Location": "/r/7", "Cache-Control": "max-age=600"])
            }
            return answer(request.url, ["Cache-Control": "max-age=600"])
        }
        let client = world.client()
        for path in ["/r", "/r/7", "/other"] { _ = try await world.get(path, by: client) }
        _ = try await world.get("/r", method: "POST", by: client)
        #expect(try await world.get("/r", by: client).cache?.isHit == true)
        status.withLock { $0 = 201 }
        _ = try await world.get("/r", method: "POST", by: client)
        #expect(try await world.get("/other", by: client).cache?.isHit == true)
        for path in ["/r", "/r/7"] { #expect(try await world.get(path, by: client).cache?.isHit == false) }
    }

    @Test func aHeadAnswerTakesNoBodyAway() async throws {
        let world = ClientWorld { request in
            let fields: HeaderFields = ["Cache-Control": "max-age=600", "ETag": "\"1\"", "Content-Length": "4"]
            return answer(request.method == "HEAD" ? "" : "body", fields)
        }
        let client = world.client()
        _ = try await world.get(by: client)
        #expect(try await world.get(method: "HEAD", headers: ["Cache-Control": "no-cache"], by: client).status == 200)
        let last = try await world.get(by: client)
        #expect(last.text == "body" && last.cache?.isHit == true)
        #expect(world.origin.requests.count == 2)
    }

    @Test func patienceCountsForTheWholeAnswer() async throws {
        let gate = Gate()
        let world = ClientWorld { _ in answer("a1") }
        let client = world.client()
        let policy = HTTPCachePolicy.networkFirst(patience: .seconds(1))
        #expect(try await world.get(policy: policy, by: client).text == "a1")
        world.origin.answer { _ in ScriptedResponse(body: Data("a2".utf8), gate: gate) }
        let reader = Task { try await world.get(policy: policy, by: client).text }
        await world.clock.sleepers(atLeast: 1)
        await world.clock.advance(by: .seconds(1))
        #expect(try await reader.value == "a1")
        gate.open()
        await waitUntil { client.cache.exchangeCount == 0 }
        #expect(try await world.get(policy: .cacheOnly, by: client).text == "a2")
    }

    @Test func aRefreshThatFailsTakesNothingAway() async throws {
        let gate = Gate()
        let world = ClientWorld { _ in
            answer("1", ["Cache-Control": "max-age=1, stale-while-revalidate=10", "ETag": "\"1\""])
        }
        let client = world.client()
        _ = try await world.get(by: client)
        world.origin.answer { _ in
            try await gate.wait()
            return answer("x", status: 500)
        }
        await world.clock.advance(by: .seconds(5))
        for _ in 0..<10 {
            let stale = try await world.get(by: client)
            #expect(stale.text == "1" && stale.cache?.isStale == true)
        }
        gate.open()
        await waitUntil { client.cache.exchangeCount == 0 }
        #expect(world.origin.requests.count == 2)
        #expect(try await world.get(by: client).text == "1")
        await waitUntil { client.cache.exchangeCount == 0 }
        world.origin.answer { _ in answer("2") }
        await world.clock.advance(by: .seconds(15))
        #expect(try await world.get(by: client).text == "2")
    }

    @Test func onlyIfCachedAsksNobody() async throws {
        let world = ClientWorld { _ in answer("1", ["Cache-Control": "max-age=1"]) }
        let client = world.client()
        #expect(try await world.get(headers: ["Cache-Control": "only-if-cached"], by: client).status == 504)
        #expect(try await world.get(cachePolicy: .returnCacheDataDontLoad, by: client).status == 504)
        #expect(world.origin.requests.isEmpty)
        _ = try await world.get(by: client)
        await world.clock.advance(by: .seconds(99))
        for _ in 0..<2 {
            let stale = try await world.get(cachePolicy: .returnCacheDataDontLoad, by: client)
            #expect(stale.text == "1" && stale.cache?.isStale == true)
        }
        #expect(world.origin.requests.count == 1)
    }

    @Test func oneAccountNeverSeesAnother() async throws {
        let world = ClientWorld { request in
            answer("body of \(request.headers["Authorization"] ?? "")", ["Cache-Control": "max-age=600"])
        }
        let anna = world.client("anna")
        _ = try await world.get("/me", headers: ["Authorization": "a"], by: anna)
        world.origin.answer { _ in throw FetchFailure(.offline, "no network") }
        await #expect(throws: FetchFailure.self) {
            try await world.get("/me", headers: ["Authorization": "b"], by: world.client("bert"))
        }
        try await world.larder.partition("anna").signOut()
        await #expect(throws: FetchFailure.self) { try await world.get("/me", by: anna) }
        let after = world.client("anna")
        await #expect(throws: FetchFailure.self) { try await world.get("/me", by: after) }
        let rows = try world.larder.read { db in try db.first("SELECT count(*) FROM larder_entry") { try $0.int(0) } }
        #expect(rows == 0)
    }

    @Test func cachePoliciesOfRequestsCount() async throws {
        let world = ClientWorld { request in
            answer("1", ["Cache-Control": "max-age=1", "X-Asked": request.headers["Cache-Control"] ?? "-"])
        }
        let client = world.client()
        _ = try await world.get(by: client)
        let reloaded = try await world.get(cachePolicy: .reloadIgnoringLocalCacheData, by: client)
        #expect(reloaded.field("X-Asked") == "no-cache")
        // What it brought is what the next one finds.
        #expect(try await world.get(by: client).field("X-Asked") == "no-cache")
        #expect(try await world.get(cachePolicy: .reloadRevalidatingCacheData, by: client).cache?.isHit == false)
        await world.clock.advance(by: .seconds(1000))
        #expect(try await world.get(cachePolicy: .returnCacheDataElseLoad, by: client).cache?.isStale == true)
        #expect(world.origin.requests.count == 3)
    }

    @Test func typedRequestsPassByAndLeaveNothing() async throws {
        let world = ClientWorld { _ in
            answer("{}", ["Cache-Control": "max-age=60", "Content-Type": "application/json"])
        }
        let client = world.client()
        let url = try #require(URL(string: "https://api.example.test/t"))
        let profile = world.larder.common.bytes("profile", expecting: .json) { request in
            try await RawAnswer(client.data(for: request.urlRequest(url)))
        }
        for _ in 0..<2 { #expect(try await profile.read(.networkOnly).source == .network) }
        let rows = try world.larder.read { db in try db.first("SELECT count(*) FROM larder_entry") { try $0.int(0) } }
        #expect(rows == 1)
        #expect(try await world.get(by: client).cache?.isHit == false)
    }

    @Test func aLargeAnswerComesInPieces() async throws {
        let piece = Data(repeating: 7, count: 100_000)
        let world = ClientWorld { _ in
            var response = ScriptedResponse(headers: ["Cache-Control": "max-age=60"])
            response.pieces = Array(repeating: piece, count: 50)
            return response
        }
        let client = world.client()
        for source in [HTTPAnswer.Source.origin, .cache] {
            let (answer, response) = try await client.answer(for: ClientWorld.request("/t"))
            #expect(answer.source == source && response.statusCode == 200)
            var count = 0
            while let data = try await answer.body.next() {
                #expect(data.count <= 1 << 20)
                count += data.count
            }
            #expect(count == 5_000_000)
            await waitUntil { client.cache.exchangeCount == 0 }
        }
    }
}
