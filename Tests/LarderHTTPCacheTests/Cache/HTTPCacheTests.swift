import Foundation
import LarderKit
import LarderSQLite
import LarderTestKit
import Synchronization
import Testing

@testable import LarderHTTPCache

@Suite(.timeLimit(.minutes(5))) struct HTTPCacheTests {
    @Test func aFreshAnswerIsServedWithoutAsking() async throws {
        let world = CacheWorld { _ in
            ScriptedResponse(
                headers: ["Date": CacheWorld.date(), "Cache-Control": "max-age=60", "X-Own": "1"],
                body: Data("hello".utf8))
        }
        let first = try await world.get()
        await world.clock.advance(by: .seconds(9))
        let second = try await world.get()
        #expect(first.text == "hello" && first.answer.source == .origin)
        #expect(second.text == "hello" && second.answer.source == .cache && !second.answer.isStale)
        #expect(second.headers["Age"] == "9" && second.headers["X-Own"] == "1")
        #expect(second.cacheStatus == "Larder; hit; ttl=51")
        #expect(world.origin.requests.count == 1)
    }

    @Test func queriesTellAnswersApart() async throws {
        let world = CacheWorld { request in
            ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: Data(request.url.utf8))
        }
        for _ in 0..<2 {
            for page in 1...2 {
                let url = "https://api.example.test/list?page=\(page)"
                #expect(try await world.get(url).text == url)
            }
        }
        #expect(world.origin.requests.count == 2)
    }

    @Test func aStaleAnswerIsValidatedAndServedFromTheCache() async throws {
        let world = CacheWorld { request in
            guard request.headers["If-None-Match"] != nil else {
                return ScriptedResponse(
                    headers: ["Cache-Control": "max-age=1", "ETag": "\"v1\""], body: Data("body".utf8))
            }
            return ScriptedResponse(status: 304, headers: ["Cache-Control": "max-age=100", "ETag": "\"v1\""])
        }
        _ = try await world.get()
        await world.clock.advance(by: .seconds(10))
        let second = try await world.get()
        await world.clock.advance(by: .seconds(50))
        let third = try await world.get()
        #expect(second.status == 200 && second.text == "body" && second.answer.source == .revalidated)
        #expect(third.text == "body" && third.answer.source == .cache)
        #expect(world.origin.requests.count == 2)
        #expect(world.origin.requests[1].headers["If-None-Match"] == "\"v1\"")
    }

    @Test func a304ThatSpeaksOfSomethingElseIsAskedAgainWithoutConditions() async throws {
        let world = CacheWorld { request in
            guard request.headers["If-None-Match"] != nil else {
                return ScriptedResponse(
                    headers: ["Cache-Control": "max-age=1", "ETag": "\"v1\""], body: Data("body".utf8))
            }
            return ScriptedResponse(status: 304, headers: ["ETag": "\"other\""])
        }
        _ = try await world.get()
        await world.clock.advance(by: .seconds(10))
        #expect(try await world.get().text == "body")
        #expect(world.origin.requests.map { $0.headers["If-None-Match"] } == [nil, "\"v1\"", nil])
    }

    @Test func offlineServesWhatIsStale() async throws {
        let world = CacheWorld { _ in
            ScriptedResponse(headers: ["Cache-Control": "max-age=1"], body: Data("body".utf8))
        }
        _ = try await world.get()
        world.origin.answer { _ in throw FetchFailure(.offline, "no network") }
        await world.clock.advance(by: .seconds(3600))
        let stale = try await world.get()
        #expect(stale.text == "body" && stale.answer.isStale && stale.answer.source == .cache)
        await #expect(throws: FetchFailure.self) { try await world.get("https://api.example.test/other") }
    }

    @Test func whatMustBeRevalidatedIsNotServedStaleButByARule() async throws {
        for isByRule in [false, true] {
            let world = CacheWorld(.private) { options in
                if isByRule { options.rules = [OfflineRule(host: "*.example.test", servesUnvalidated: true)] }
            } script: { _ in
                ScriptedResponse(headers: ["Cache-Control": "max-age=1, must-revalidate"], body: Data("body".utf8))
            }
            _ = try await world.get()
            world.origin.answer { _ in throw FetchFailure(.offline, "no network") }
            await world.clock.advance(by: .seconds(10))
            if isByRule {
                let answer = try await world.get()
                #expect(answer.text == "body" && answer.cacheStatus.contains("offline-rule"))
            } else {
                await #expect(throws: FetchFailure.self) { try await world.get() }
            }
        }
    }

    @Test func noStoreLeavesNothingBehindButByARule() async throws {
        for isByRule in [false, true] {
            let world = CacheWorld(.private) { options in
                if isByRule { options.rules = [OfflineRule(keepsNoStore: true, servesUnvalidated: true)] }
            } script: { _ in
                ScriptedResponse(headers: ["Cache-Control": "no-store"], body: Data("secret".utf8))
            }
            _ = try await world.get()
            #expect(try await world.get().answer.source == .origin)
            let rows = try world.larder.read { db in
                try db.first("SELECT count(*) FROM larder_entry") { try $0.int(0) }
            }
            #expect(rows == (isByRule ? 1 : 0))
            world.origin.answer { _ in throw FetchFailure(.offline, "no network") }
            if isByRule {
                #expect(try await world.get().text == "secret")
            } else {
                await #expect(throws: FetchFailure.self) { try await world.get() }
            }
        }
    }

    @Test func tenAtOnceAskOnce() async throws {
        let gate = Gate()
        let world = CacheWorld { _ in
            try await gate.wait()
            return ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: Data("body".utf8))
        }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<10 { group.addTask { try await world.get().text } }
            while world.origin.requests.isEmpty { await Task.yield() }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "body", count: 10))
        #expect(world.origin.requests.count == 1)
    }

    @Test func thoseWhoseAnswerCannotBeSharedAskForThemselves() async throws {
        let gate = Gate()
        let world = CacheWorld { request in
            try await gate.wait()
            return ScriptedResponse(headers: ["Cache-Control": "no-store"], body: Data("body".utf8))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 { group.addTask { _ = try await world.get() } }
            while world.origin.requests.isEmpty { await Task.yield() }
            gate.open()
            try await group.waitForAll()
        }
        #expect(world.origin.requests.count == 5)
    }

    @Test func variantsAreKeptSideBySide() async throws {
        let world = CacheWorld { request in
            ScriptedResponse(
                headers: ["Cache-Control": "max-age=60", "Vary": "accept-language"],
                body: Data((request.headers["Accept-Language"] ?? "none").utf8))
        }
        for _ in 0..<2 {
            #expect(try await world.get(headers: ["Accept-Language": "en"]).text == "en")
            #expect(try await world.get(headers: ["ACCEPT-LANGUAGE": "de"]).text == "de")
            #expect(try await world.get().text == "none")
        }
        #expect(world.origin.requests.count == 3)
    }

    @Test func aChangeIsNotSettledByAnAnswerThatWasAskedForBefore() async throws {
        let gate = Gate()
        let world = CacheWorld { request in
            if request.method == "POST" { return ScriptedResponse(status: 201) }
            try await gate.wait()
            return ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: Data("old".utf8))
        }
        let early = Task { try await world.get().text }
        while world.origin.requests.isEmpty { await Task.yield() }
        _ = try await world.get(method: "POST")
        gate.open()
        #expect(try await early.value == "old")
        world.origin.answer { _ in
            ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: Data("new".utf8))
        }
        #expect(try await world.get().text == "new")
    }

    @Test func aCutBodyIsNotStoredAndTheOldOneStays() async throws {
        let world = CacheWorld { _ in
            ScriptedResponse(headers: ["Cache-Control": "max-age=1", "ETag": "\"1\""], body: Data("whole".utf8))
        }
        _ = try await world.get()
        world.origin.answer { _ in
            ScriptedResponse(
                headers: ["Cache-Control": "max-age=60", "Content-Length": "100"], body: Data("hal".utf8),
                failure: FetchFailure(.wrongAnswer, "cut"))
        }
        await world.clock.advance(by: .seconds(10))
        await #expect(throws: FetchFailure.self) { try await world.get() }
        world.origin.answer { _ in throw FetchFailure(.offline, "no network") }
        #expect(try await world.get().text == "whole")
    }

    @Test func aLargeBodyIsStoredInPiecesAndServedWhole() async throws {
        let body = Data((0..<3_500_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let world = CacheWorld { _ in
            var response = ScriptedResponse(headers: ["Cache-Control": "max-age=60"])
            response.pieces = stride(from: 0, to: body.count, by: 60_000).map {
                body[$0..<min($0 + 60_000, body.count)]
            }
            return response
        }
        let first = try await world.cache.answer(HTTPRequestHead(url: "https://a.test/big"))
        #expect(try await first.body.collect() == body)
        await waitUntil { world.cache.exchangeCount == 0 }
        let second = try await world.cache.answer(HTTPRequestHead(url: "https://a.test/big"))
        #expect(second.source == .cache)
        #expect(try await second.body.collect() == body)
        let part = try await world.cache.answer(
            HTTPRequestHead(url: "https://a.test/big", headers: ["Range": "bytes=1048570-2097160"]))
        #expect(part.head.status == 206)
        #expect(try await part.body.collect() == body[1_048_570...2_097_160])
        #expect(world.origin.requests.count == 1)
    }

    @Test func whoIsSlowReadsWhatIsStoredAndHoldsNobodyUp() async throws {
        let body = Data((0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
        let world = CacheWorld { _ in
            var response = ScriptedResponse(headers: ["Cache-Control": "max-age=60"])
            response.pieces = stride(from: 0, to: body.count, by: 100_000).map { body[$0..<$0 + 100_000] }
            return response
        }
        let slow = try await world.cache.answer(HTTPRequestHead(url: "https://a.test/big"))
        // It takes nothing, and the exchange ends all the same.
        await waitUntil { world.cache.exchangeCount == 0 }
        #expect(try await slow.body.collect() == body)
    }

    @Test func whoLeavesEndsWhatNobodyElseWants() async throws {
        let gate = Gate()
        let ended = Gate()
        let world = CacheWorld { _ in
            do { try await gate.wait() } catch {
                ended.open()
                throw error
            }
            return ScriptedResponse()
        }
        let reader = Task { try await world.get() }
        while world.origin.requests.isEmpty { await Task.yield() }
        reader.cancel()
        try await ended.wait()
        await #expect(throws: (any Error).self) { try await reader.value }
    }

    @Test func whatHasExpiredBeforeItCameIsStillThereOffline() async throws {
        let world = CacheWorld { _ in
            ScriptedResponse(headers: ["Expires": "0", "Date": CacheWorld.date()], body: Data("body".utf8))
        }
        _ = try await world.get()
        world.origin.answer { _ in throw FetchFailure(.offline, "no network") }
        #expect(try await world.get().text == "body")
    }

    @Test func aStreamOfEventsIsNotStored() async throws {
        let world = CacheWorld { _ in
            ScriptedResponse(
                headers: ["Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "max-age=60"],
                body: Data("data: 1\n\n".utf8))
        }
        for _ in 0..<2 { #expect(try await world.get().answer.source == .origin) }
        #expect(world.origin.requests.count == 2)
    }

    @Test func whatIsNotStoredAndNobodyTakesEnds() async throws {
        let world = CacheWorld { request in
            guard request.headers["If-None-Match"] == nil else {
                // Asked in the background: large, and not to be stored.
                var response = ScriptedResponse(headers: ["Cache-Control": "no-store"])
                response.pieces = Array(repeating: Data(count: 100_000), count: 100)
                return response
            }
            return ScriptedResponse(
                headers: ["Cache-Control": "max-age=1, stale-while-revalidate=60", "ETag": "\"1\""],
                body: Data("body".utf8))
        }
        _ = try await world.get()
        await world.clock.advance(by: .seconds(5))
        #expect(try await world.get().answer.isStale)
        await waitUntil { world.origin.requests.count == 2 && world.cache.exchangeCount == 0 }
    }

    @Test func whatMayNeverEndIsGivenUpWithTheLastWhoTakesIt() async throws {
        let gate = Gate()
        let world = CacheWorld { _ in
            var response = ScriptedResponse(headers: ["Cache-Control": "max-age=60"], gate: gate)
            response.pieces = Array(repeating: Data(count: 1000), count: 3)
            return response
        }
        let answer = try await world.cache.answer(HTTPRequestHead(url: "https://api.example.test/t"))
        answer.body.abandon()
        // The interest goes with the body.
        withExtendedLifetime(answer) {}
        _ = consume answer
        await waitUntil { world.cache.exchangeCount == 0 }
    }

    @Test func aClientsOwnConditionOnWhatAlwaysChangesIsAskedOnce() async throws {
        let count = Mutex(0)
        let world = CacheWorld { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return ScriptedResponse(
                headers: ["Cache-Control": "no-cache", "ETag": "\"\(number)\""], body: Data("\(number)".utf8))
        }
        _ = try await world.get()
        #expect(try await world.get(headers: ["If-None-Match": "*"]).status == 304)
        #expect(try await world.get(headers: ["Range": "bytes=0-0"]).status == 206)
        #expect(world.origin.requests.count == 3)
    }

    @Test func aGETWithABodyIsNotWhatItsURISays() async throws {
        let world = CacheWorld { _ in
            ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: Data("found".utf8))
        }
        for _ in 0..<2 {
            let body = HTTPRequestBody(length: 1, pipe: BodyPipe(Data("q".utf8)))
            let answer = try await world.cache.answer(HTTPRequestHead(url: "https://a.test/search"), body: body)
            #expect(answer.source == .origin)
            _ = try await answer.body.collect()
        }
        #expect(try await world.get("https://a.test/search").answer.source == .origin)
    }

    @Test func whoAsksAfterAChangeDoesNotJoinWhoAskedBefore() async throws {
        let gate = Gate()
        let world = CacheWorld { request in
            if request.method == "PUT" { return ScriptedResponse(status: 204) }
            try await gate.wait()
            return ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: Data("old".utf8))
        }
        let early = Task { try await world.get().text }
        while world.origin.requests.isEmpty { await Task.yield() }
        _ = try await world.get(method: "PUT")
        world.origin.answer { _ in
            ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: Data("new".utf8))
        }
        #expect(try await world.get().text == "new")
        gate.open()
        #expect(try await early.value == "old")
        #expect(try await world.get().text == "new")
    }

    @Test func variantsWithTheSameBytesDoNotGoWithEachOther() async throws {
        let world = CacheWorld { request in
            guard request.headers["If-None-Match"] == nil else {
                return ScriptedResponse(
                    status: 304, headers: ["Vary": "accept-language, x-more", "ETag": "\"1\""])
            }
            return ScriptedResponse(
                headers: ["Cache-Control": "max-age=1", "Vary": "accept-language", "ETag": "\"1\""],
                body: Data("{}".utf8))
        }
        for language in ["de", "en"] { _ = try await world.get(headers: ["Accept-Language": language]) }
        await world.clock.advance(by: .seconds(5))
        _ = try await world.get(headers: ["Accept-Language": "de"])
        world.origin.answer { _ in throw FetchFailure(.offline, "no network") }
        for language in ["de", "en"] {
            #expect(try await world.get(headers: ["Accept-Language": language]).text == "{}")
        }
    }

    @Test func whoReadsALargeBodyHasItToTheEndThoughItIsReplaced() async throws {
        let size = 3_000_000
        let world = CacheWorld { _ in
            ScriptedResponse(headers: ["Cache-Control": "max-age=1"], body: Data(repeating: 1, count: size))
        }
        let request = HTTPRequestHead(url: "https://a.test/big")
        _ = try await world.cache.answer(request).body.collect()
        let reader = try await world.cache.answer(request)
        let first = try #require(try await reader.body.next())
        world.origin.answer { _ in
            ScriptedResponse(headers: ["Cache-Control": "max-age=1"], body: Data(repeating: 2, count: size))
        }
        await world.clock.advance(by: .seconds(5))
        #expect(try await world.cache.answer(request).body.collect() == Data(repeating: 2, count: size))
        await waitUntil { world.cache.exchangeCount == 0 }
        let rest = try await reader.body.collect()
        #expect(first + rest == Data(repeating: 1, count: size))
    }

    @Test func networkFirstHandsOutAtOnceWhatIsNotStored() async throws {
        let world = CacheWorld { _ in ScriptedResponse(body: Data("small".utf8)) }
        let policy = HTTPCachePolicy.networkFirst(patience: .seconds(1))
        _ = try await world.get(policy: policy)
        world.origin.answer { _ in
            var response = ScriptedResponse(headers: ["Cache-Control": "no-store"])
            response.pieces = Array(repeating: Data(count: 100_000), count: 20)
            return response
        }
        // The clock stands still: patience does not run out.
        #expect(try await world.get(policy: policy).text.utf8.count == 2_000_000)
    }

    @Test func networkFirstTakesNoAnswerOfAnother() async throws {
        let gate = Gate()
        let world = CacheWorld { request in
            let language = request.headers["Accept-Language"] ?? ""
            return ScriptedResponse(
                headers: ["Cache-Control": "max-age=60", "Vary": "accept-language"], body: Data(language.utf8))
        }
        for language in ["de", "en"] { _ = try await world.get(headers: ["Accept-Language": language]) }
        world.origin.answer { request in
            let language = request.headers["Accept-Language"] ?? ""
            try await gate.wait()
            return ScriptedResponse(
                headers: ["Cache-Control": "max-age=60", "Vary": "accept-language"], body: Data("new \(language)".utf8))
        }
        let policy = HTTPCachePolicy.networkFirst(patience: .seconds(1))
        let german = Task { try await world.get(headers: ["Accept-Language": "de"], policy: policy).text }
        while world.origin.requests.count < 3 { await Task.yield() }
        let english = Task { try await world.get(headers: ["Accept-Language": "en"], policy: policy).text }
        await world.clock.sleepers(atLeast: 2)
        gate.open()
        #expect(try await german.value == "new de")
        #expect(try await english.value == "en")
    }

    @Test func anOriginThatHangsIsNotWaitedForWhereSomethingMayBeServed() async throws {
        let gate = Gate()
        let world = CacheWorld(.shared) {
            $0.patience = .seconds(5)
        } script: { _ in
            ScriptedResponse(headers: ["Cache-Control": "max-age=1"], body: Data("old".utf8))
        }
        _ = try await world.get()
        world.origin.answer { _ in
            try await gate.wait()
            return ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: Data("new".utf8))
        }
        await world.clock.advance(by: .seconds(10))
        let reader = Task { try await world.get() }
        await world.clock.sleepers(atLeast: 1)
        await world.clock.advance(by: .seconds(5))
        let late = try await reader.value
        #expect(late.text == "old" && late.answer.isStale)
        gate.open()
        await waitUntil { world.cache.exchangeCount == 0 }
        #expect(try await world.get().text == "new")
    }

    @Test func aClientThatAskedWithoutConditionsGetsNo304() async throws {
        let world = CacheWorld { _ in
            ScriptedResponse(headers: ["Cache-Control": "max-age=1", "ETag": "\"1\""], body: Data("body".utf8))
        }
        _ = try await world.get()
        world.origin.answer { _ in ScriptedResponse(status: 304, headers: ["ETag": "\"other\""]) }
        await world.clock.advance(by: .seconds(10))
        let stale = try await world.get()
        #expect(stale.status == 200 && stale.text == "body" && stale.answer.isStale)
        await #expect(throws: FetchFailure.self) { try await world.get("https://a.test/unknown") }
    }

    @Test func aSnapshotTakesNoCookiesAndNoKeysAlong() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("LarderHTTP-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let larder = try Larder(.folder(folder.appendingPathComponent("cache")))
        defer { larder.close() }
        let origin = ScriptedTransport { request in
            request.url.hasSuffix("/own")
                ? ScriptedResponse(
                    headers: ["Cache-Control": "max-age=60", "Set-Cookie": "sid=topsecret"], body: Data("mine".utf8))
                : ScriptedResponse(
                    headers: ["Cache-Control": "max-age=60", "Vary": "X-Api-Key, Cookie"], body: Data("all's".utf8))
        }
        let cache = HTTPCache(larder.common, transport: origin, options: .init(kind: .shared))
        for path in ["own", "all"] {
            let request = HTTPRequestHead(
                url: "https://a.test/\(path)", headers: ["X-Api-Key": "topsecret", "Cookie": "c=topsecret"])
            _ = try await cache.answer(request, client: "a").body.collect()
        }
        let file = folder.appendingPathComponent("snapshot")
        let report = try await larder.exportSnapshot(to: file)
        #expect(report.values == 1)
        #expect(try Data(contentsOf: file).range(of: Data("topsecret".utf8)) == nil)
    }

    @Test func whatIsStoredPlainIsReadByWhoTakesCodingsWhenTheOriginIsAway() async throws {
        let world = CacheWorld { _ in
            ScriptedResponse(
                headers: ["Cache-Control": "max-age=60", "Vary": "Accept-Encoding"], body: Data("plain".utf8))
        }
        _ = try await world.get()
        world.origin.answer { _ in throw FetchFailure(.offline, "no network") }
        let answer = try await world.get(headers: ["Accept-Encoding": "gzip, br"])
        #expect(answer.text == "plain" && answer.answer.isStale)
        for refusal in ["gzip, identity;q=0", "gzip, *; q=0"] {
            await #expect(throws: FetchFailure.self) { try await world.get(headers: ["Accept-Encoding": refusal]) }
        }
    }

    @Test func networkFirstShowsWhatIsStoredWhenTheAnswerIsSlow() async throws {
        let world = CacheWorld { _ in ScriptedResponse(body: Data("a1".utf8)) }
        let policy = HTTPCachePolicy.networkFirst(patience: .seconds(1))
        #expect(try await world.get(policy: policy).text == "a1")
        let gate = Gate()
        world.origin.answer { _ in ScriptedResponse(body: Data("a2".utf8), gate: gate) }
        let reader = Task { try await world.get(policy: policy) }
        await world.clock.sleepers(atLeast: 1)
        await world.clock.advance(by: .seconds(1))
        #expect(try await reader.value.text == "a1")
        gate.open()
        await waitUntil { world.cache.exchangeCount == 0 }
        #expect(try await world.get(policy: .cacheOnly).text == "a2")
    }

    @Test func twoPartitionsShareNothing() async throws {
        let world = CacheWorld(.private, partition: "anna") { _ in
            ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: Data("anna's".utf8))
        }
        _ = try await world.get()
        let other = HTTPCache(world.larder.partition("bert"), transport: world.origin)
        world.origin.answer { _ in throw FetchFailure(.offline, "no network") }
        await #expect(throws: FetchFailure.self) {
            try await other.answer(HTTPRequestHead(url: "https://api.example.test/t"))
        }
        #expect(try await world.get().text == "anna's")
        try await world.larder.partition("anna").signOut()
        await #expect(throws: FetchFailure.self) { try await world.get() }
    }

    @Test func aSharedCacheHandsCookiesToTheClientThatGotThemAlone() async throws {
        let world = CacheWorld(.shared) { _ in
            ScriptedResponse(
                headers: ["Cache-Control": "max-age=600", "Set-Cookie": "session=a"], body: Data("hello".utf8))
        }
        _ = try await world.get(client: "a")
        #expect(try await world.get(client: "a").answer.source == .cache)
        world.origin.answer { _ in ScriptedResponse(body: Data("hello b".utf8)) }
        let other = try await world.get(client: "b")
        #expect(other.text == "hello b" && other.headers["Set-Cookie"] == nil)
    }

    @Test func whatIsHotIsThereAtOnceAndNotAfterItChanged() async throws {
        let world = CacheWorld { _ in
            ScriptedResponse(headers: ["Cache-Control": "max-age=60"], body: Data("body".utf8))
        }
        let request = HTTPRequestHead(url: "https://api.example.test/t")
        #expect(world.cache.heldAnswers(of: request) == nil)
        _ = try await world.get()
        let held = try #require(world.cache.heldAnswers(of: request))
        #expect(world.cache.hit(request, in: held, client: nil)?.body == Data("body".utf8))
        _ = try await world.get(method: "DELETE")
        let later = world.cache.heldAnswers(of: request).flatMap { world.cache.hit(request, in: $0, client: nil) }
        #expect(later == nil)
    }

    private func waitUntil(_ condition: @escaping @Sendable () -> Bool) async {
        while !condition() { await Task.yield() }
    }
}
