import Foundation
import LarderKit
import Testing

@testable import LarderHTTPCache

@Suite struct AnswerOutlookTests {
    private let now = Date(timeIntervalSince1970: 1_768_478_400)

    private func outlook(
        _ headers: HeaderFields, age: Double = 0, kind: CacheKind = .shared, rule: OfflineRule? = nil,
        variant: Variant = Variant()
    ) -> AnswerOutlook {
        let received = now.addingTimeInterval(-age)
        let answer = StoredAnswer(
            status: 200, headers: headers, variant: variant, requestedAt: received, receivedAt: received, size: 0)
        return AnswerOutlook(selecting: 0, of: [answer], ReuseContext(kind: kind, now: now, rule: rule))
    }

    @Test func whatIsFreshIsServedAndByWhichFieldIsTold() {
        let fresh = outlook(["Cache-Control": "max-age=60, s-maxage=600", "ETag": "\"x\""], age: 100)
        #expect(fresh.decision == .show && fresh.lifetimeFrom == "s-maxage=600 in Cache-Control")
        #expect(fresh.conditions.map(\.name) == ["If-None-Match"])
        #expect(
            outlook(["CDN-Cache-Control": "max-age=9"], age: 1).lifetimeFrom == "max-age=9 in CDN-Cache-Control")
        #expect(outlook(["Expires": "0"]).lifetimeFrom == "Expires: 0")
        #expect(outlook([:]).lifetimeFrom == nil)
    }

    @Test func whatIsStaleIsAskedForAndStandsInUnlessThatIsForbidden() {
        let stale = outlook(["Cache-Control": "max-age=60"], age: 100)
        #expect(stale.decision == .ask && stale.ifUnreachable != nil && stale.ifFails == nil)
        let strict = outlook(["Cache-Control": "max-age=60, must-revalidate"], age: 100)
        #expect(strict.decision == .wait && strict.ifUnreachable == nil && strict.forbidding == ["must-revalidate"])
        let ruled = outlook(
            ["Cache-Control": "max-age=60, must-revalidate"], age: 100, rule: OfflineRule(servesUnvalidated: true))
        #expect(ruled.decision == .ask && ruled.ifUnreachable?.isByRule == true)
        #expect(outlook(["Cache-Control": "max-age=60, stale-while-revalidate=90"], age: 100).decision == .showAndAsk)
        #expect(outlook(["Cache-Control": "max-age=60, proxy-revalidate"], age: 100, kind: .private).forbidding.isEmpty)
    }

    @Test func aVariantIsJudgedForTheRequestThatSelectsIt() {
        let variant = Variant([.init(name: "accept-language", value: "de"), .init(name: "cookie", value: nil)])
        #expect(outlook(["Cache-Control": "max-age=60"], variant: variant).decision == .show)
    }
}
