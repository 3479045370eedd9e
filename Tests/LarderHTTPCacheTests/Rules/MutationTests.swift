import Foundation
import LarderKit
import Testing

@testable import LarderHTTPCache

/// What must hold of every plan, over all of small spaces and a bounded walk through a large one.
struct MutationTests {
    private static let words = [
        "max-age=5", "max-age=60", "s-maxage=5", "no-store", "no-cache", "private", "must-revalidate",
        "proxy-revalidate",
        "stale-while-revalidate=60", "stale-if-error=60",
    ]
    private static let wishes = ["", "max-stale", "no-cache", "max-age=0", "only-if-cached", "min-fresh=5", "no-store"]

    private func check(
        _ plan: ReusePlan, _ request: HTTPRequestHead, _ stored: [StoredAnswer], _ facts: [FreshnessFacts],
        _ context: ReuseContext, _ comment: @autoclosure () -> Comment
    ) {
        let controls = stored.map { CacheControl($0.headers) }
        func check(_ serving: Serving) -> Bool {
            guard stored.indices.contains(serving.index) else { return false }
            let answer = stored[serving.index]
            let facts = facts[serving.index]
            let control = controls[serving.index]
            let bytes = HTTPRules.bytes(of: serving.form, in: answer)
            return (facts.isFresh(at: context.now) && !control.noCache || serving.stale != nil)
                && (serving.isByRule || !control.noStore && !(control.isPrivate && context.kind == .shared))
                && (serving.isByRule || facts.isFresh(at: context.now) || !control.mustRevalidate)
                && (serving.isByRule || !control.noCache) && (!serving.isByRule || context.rule != nil)
                && !answer.isInvalidated && (answer.client == nil || answer.client == context.client)
                && HTTPRules.matches(answer, request.headers) && bytes.lowerBound >= 0
                && bytes.upperBound <= answer.size
        }
        switch plan {
        case .serve(let serving):
            #expect(check(serving), comment())
            #expect(!serving.isByRule || context.isOffline, comment())
        case .ask(let asking):
            #expect(!context.isOffline, comment())
            #expect(asking.ifFails.map(check) ?? true, comment())
            #expect(asking.ifUnreachable.map(check) ?? true, comment())
            #expect(asking.ifFails == nil || asking.ifUnreachable != nil, comment())
            #expect(asking.validates.map { stored.indices.contains($0) } ?? true, comment())
            #expect(asking.validates == nil || asking.resumes == nil, comment())
            #expect(asking.headers == HTTPRules.endToEnd(asking.headers), comment())
        case .refuse: break
        }
    }

    @Test(arguments: CacheKind.allCases) func noPlanServesWhatMayNotBeServed(kind: CacheKind) {
        for mask in 0..<(1 << Self.words.count) {
            let words = Self.words.indices.filter { mask & (1 << $0) != 0 }.map { Self.words[$0] }
            var stored = StoredAnswer.noon("")
            stored.headers = ["Cache-Control": words.joined(separator: ", "), "ETag": "\"a\""]
            let facts = [FreshnessFacts(stored, kind)]
            let wish = Self.wishes[mask % Self.wishes.count]
            let request = HTTPRequestHead(url: "http://h.test/r", headers: wish.isEmpty ? [:] : ["Cache-Control": wish])
            for seconds in [1.0, 20] {
                for isOffline in [false, true] {
                    for rule in [nil, OfflineRule(servesUnvalidated: true)] {
                        let context = ReuseContext(
                            kind: kind, now: Noon.plus(seconds), rule: rule, isOffline: isOffline)
                        check(
                            HTTPRules.plan(request, [stored], facts, context), request, [stored], facts, context,
                            "\(words) \(wish) \(context)")
                    }
                }
            }
        }
    }

    /// The same steps each time, so that a failure comes back.
    private struct Steps: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    private static let seeds = [
        "Cache-Control: max-age=60, s-maxage=\"5\", stale-if-error=60",
        "CDN-Cache-Control: max-age=60;a=\"b\", no-cache=(\"x\" y)",
        "Expires: Thu, 15 Jan 2026 12:01:00 GMT", "Date: Thursday, 15-Jan-26 12:00:00 GMT",
        "Last-Modified: Thu Jan 15 11:00:00 2026",
        "Age: 99999999999, 3", "ETag: W/\"a,b\"", "Vary: Foo, accept-language", "Content-Range: bytes 0-4/10",
        "Range: bytes=0-4, -5",
        "Content-Length: 99999999999999999999", "If-None-Match: \"a\", W/\"b\", *",
        "If-Modified-Since: Thu, 15 Jan 2026 11:00:00 GMT",
        "If-Range: \"a\"", "Accept-Language: en;q=0.5, de;q=1.000", "Content-Language: de", "Connection: close, X",
        "Pragma: no-cache",
        "Set-Cookie: a=b", "Authorization: x", "Location: /a?b#c", "Content-Location: http://h.test/r",
        "Content-Encoding: gzip",
    ]
    private static let bytes = Array("\0\t ,;=\"\\*-/:0123456789abzAZ()?@\u{7F}\u{80}\u{FF}\u{FFFD}")

    private func fields(_ steps: inout Steps) -> HeaderFields {
        var headers = HeaderFields()
        for _ in 0..<Int.random(in: 0...6, using: &steps) {
            let seed = Self.seeds.randomElement(using: &steps) ?? ""
            let parts = seed.split(separator: ":", maxSplits: 1).map { Array($0) }
            var value = Array(parts[1].dropFirst())
            for _ in 0..<Int.random(in: 0...4, using: &steps) {
                let index = Int.random(in: 0...value.count, using: &steps)
                switch Int.random(in: 0...3, using: &steps) {
                case 0: value.insert(Self.bytes.randomElement(using: &steps) ?? " ", at: index)
                case 1 where index < value.count: value.remove(at: index)
                case 2 where index < value.count: value[index] = Self.bytes.randomElement(using: &steps) ?? " "
                default: value += value.prefix(index)
                }
            }
            headers.append(name: String(parts[0]), value: String(value))
        }
        return headers
    }

    @Test(arguments: 0..<8) func noFieldTraps(seed: Int) {
        var steps = Steps(state: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15)
        for _ in 0..<600 {
            let method = ["GET", "HEAD", "POST"].randomElement(using: &steps) ?? "GET"
            let request = HTTPRequestHead(method: method, url: "http://h.test/r", headers: fields(&steps))
            let status = [200, 206, 304, 301, 404, 503, 0, -1, .max].randomElement(using: &steps) ?? 200
            let head = HTTPResponseHead(status: status, headers: fields(&steps))
            let kind = CacheKind.allCases.randomElement(using: &steps) ?? .shared
            var context = ReuseContext(kind: kind, now: Noon.plus(Double(Int.random(in: -99...99, using: &steps))))
            context.isOffline = Bool.random(using: &steps)
            context.client = Bool.random(using: &steps) ? "a" : nil
            context.rule = Bool.random(using: &steps) ? OfflineRule(keepsNoStore: true, servesUnvalidated: true) : nil
            var stored: [StoredAnswer] = []
            for _ in 0..<3 {
                var answer = StoredAnswer.noon("", status: 200, size: Int.random(in: 0...20, using: &steps))
                answer.headers = fields(&steps)
                if Bool.random(using: &steps) { answer.part = .init(contentRange: answer.headers) }
                stored.append(answer)
            }
            check(
                HTTPRules.plan(request, stored, context), request, stored, stored.map { FreshnessFacts($0, kind) },
                context,
                "\(request) \(stored)")
            let plan = HTTPRules.store(
                head, to: request, asked: context.now, received: context.now, ignoredVary: [], context)
            if let new = plan.stored { _ = stored.map { HTTPRules.succession(of: $0, by: new) } }
            _ = HTTPRules.invalidated(by: head, to: request)
            for answer in stored {
                _ = HTTPRules.freshened(answer, by: head, asked: context.now, received: context.now, to: request)
                _ = HTTPRules.updated(answer, byHead: head, asked: context.now, received: context.now)
                _ = HTTPRules.continues(answer, by: head, from: answer.size, asked: context.now, received: context.now)
                _ = HTTPRules.supersedes(head, answer, to: request, context)
                _ = HTTPRules.settled(answer)
                if let form = HTTPRules.form(for: request, of: answer) {
                    _ = HTTPRules.response(answer, as: form, now: context.now)
                }
            }
        }
    }

    @Test func longValuesAreReadOnce() {
        let long = String(repeating: "a,\"b\\", count: 5000)
        var headers = HeaderFields()
        for name in [
            "Cache-Control", "CDN-Cache-Control", "Vary", "ETag", "Expires", "Date", "Age", "Range", "If-None-Match",
            "Connection",
        ] {
            headers.append(name: name, value: long)
        }
        let request = HTTPRequestHead(url: "http://h.test/r", headers: headers)
        var stored = StoredAnswer.noon("")
        stored.headers = headers
        #expect(HTTPRules.plan(request, [stored], .at(1, .shared)).asked != nil)
        #expect(HTTPRules.key(of: "http://h.test/" + String(repeating: "x", count: 100_000)) != nil)
    }
}
