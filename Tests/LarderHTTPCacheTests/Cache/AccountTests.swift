import Foundation
import LarderKit
import LarderTestKit
import Testing

@testable import LarderHTTPCache

/// What of one account's, or one client's, answers reaches others.
@Suite(.timeLimit(.minutes(5))) struct AccountTests {
    private static let bob: HeaderFields = ["Authorization": "Bearer bob", "Cache-Control": "no-cache"]

    @Test(arguments: ["", "must-revalidate, max-age=600"])
    func fieldsOfA304ForAnAccountAreItsAlone(control: String) async throws {
        let world = CacheWorld(.shared) { request in
            guard request.headers["If-None-Match"] != nil else {
                return ScriptedResponse(
                    headers: ["Cache-Control": "max-age=600", "ETag": "\"1\"", "X-Account": "none"],
                    body: Data("body".utf8))
            }
            return ScriptedResponse(
                status: 304, headers: ["Cache-Control": control, "ETag": "\"1\"", "X-Account": "bob"])
        }
        _ = try await world.get()
        let own = try await world.get(headers: Self.bob)
        #expect(own.text == "body" && own.headers["X-Account"] == "bob" && own.answer.source == .revalidated)
        let other = try await world.get()
        #expect(other.text == "body" && other.answer.source == .cache)
        #expect(other.headers["X-Account"] == (control.isEmpty ? "none" : "bob"))
    }

    @Test(arguments: ["", "public, max-age=600"])
    func fieldsOfAHeadForAnAccountAreItsAlone(control: String) async throws {
        let world = CacheWorld(.shared) { request in
            guard request.method == "HEAD" else {
                return ScriptedResponse(
                    headers: ["Cache-Control": "max-age=600", "X-Account": "none"], body: Data("body".utf8))
            }
            return ScriptedResponse(headers: ["Cache-Control": control, "X-Account": "bob"])
        }
        _ = try await world.get()
        #expect(try await world.get(method: "HEAD", headers: Self.bob).headers["X-Account"] == "bob")
        let other = try await world.get()
        #expect(other.text == "body" && other.answer.source == .cache)
        #expect(other.headers["X-Account"] == (control.isEmpty ? "none" : "bob"))
    }

    @Test func aHeadChangesNothingOfAnotherClientsAnswer() async throws {
        let world = CacheWorld(.shared) { request in
            guard request.method == "HEAD" else {
                return ScriptedResponse(
                    headers: ["Cache-Control": "max-age=600", "Set-Cookie": "session=a", "X-Client": "a"],
                    body: Data("body".utf8))
            }
            return ScriptedResponse(
                headers: ["Cache-Control": "max-age=600", "Set-Cookie": "session=head", "X-Client": "head"])
        }
        _ = try await world.get(client: "a")
        _ = try await world.get(method: "HEAD", client: "b")
        let untouched = try await world.get(client: "a")
        #expect(untouched.answer.source == .cache && untouched.headers["X-Client"] == "a")
        _ = try await world.get(method: "HEAD", headers: ["Cache-Control": "no-cache"], client: "a")
        let updated = try await world.get(client: "a")
        #expect(updated.answer.source == .cache && updated.headers["X-Client"] == "head")
        #expect(updated.headers.values(of: "Set-Cookie") == ["session=a"])
    }

    @Test(arguments: [
        ("max-age=600", "Bearer bob", false), ("max-age=600, public", "Bearer bob", true),
        ("max-age=600, private", nil, false), ("max-age=600", nil, true),
    ])
    func whatAPrivateCacheHasStoredIsForASharedOneOnlyWhereItIsForAll(
        control: String, authorization: String?, isForAll: Bool
    ) async throws {
        let world = CacheWorld(.private) { _ in
            ScriptedResponse(headers: ["Cache-Control": control], body: Data("bob's".utf8))
        }
        let headers: HeaderFields = authorization.map { ["Authorization": $0] } ?? [:]
        _ = try await world.get(headers: headers)
        #expect(try await world.get(headers: headers).answer.source == .cache)
        let shared = HTTPCache(world.larder.partition(""), transport: world.origin, options: .init(kind: .shared))
        shared.isOffline = true
        let request = HTTPRequestHead(url: "https://api.example.test/t")
        #expect(try await shared.answer(request).head.status == (isForAll ? 200 : 504))
    }

    @Test func noRuleServesAnAccountsAnswerToOthers() async throws {
        for control in ["no-cache, no-store, must-revalidate", "max-age=1, must-revalidate"] {
            let world = CacheWorld(.shared) { options in
                options.rules = [OfflineRule(keepsNoStore: true, servesUnvalidated: true)]
            } script: { _ in
                ScriptedResponse(headers: ["Cache-Control": control], body: Data("bob's".utf8))
            }
            _ = try await world.get(headers: ["Authorization": "Bearer bob"])
            world.origin.answer { _ in throw FetchFailure(.offline, "no network") }
            await world.clock.advance(by: .seconds(10))
            await #expect(throws: FetchFailure.self) { try await world.get() }
        }
    }
}
