import Foundation
import LarderHTTP
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct CacheStatusTests {
    private func status(_ field: String?) throws -> CacheStatus? {
        let url = try #require(URL(string: "https://api.example.test/"))
        let fields = field.map { ["Cache-Status": $0] }
        return try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields)
        ).cacheStatus
    }

    @Test func theNearestCacheCounts() throws {
        let status = try #require(try status("Edge; fwd=miss; stored, Larder; hit; ttl=-30; detail=offline"))
        #expect(status.cache == "Larder" && status.isHit && status.isStale && status.timeToLive == -30)
        #expect(status.detail == "offline" && status.forwarded == nil && !status.isStored)
    }

    @Test func whatWasForwardedSaysWhy() throws {
        let status = try #require(try status("Larder; fwd=stale; fwd-status=304; stored; collapsed"))
        #expect(status.forwarded == "stale" && status.isRevalidated && status.isStored && status.isCollapsed)
        #expect(!status.isHit && !status.isStale)
    }

    @Test func whatStandsInForAFailureIsStale() throws {
        let status = try #require(try status("Larder; fwd=stale; fwd-status=503; ttl=-9; detail=onError"))
        #expect(status.isStale && !status.isHit && !status.isRevalidated)
    }

    @Test func stringsMayHoldSeparators() throws {
        let status = try #require(try status(#""a, b; c"; hit; detail="x \"y\", z; ttl=1""#))
        #expect(status.cache == "a, b; c" && status.isHit)
        #expect(status.detail == #"x "y", z; ttl=1"# && status.timeToLive == nil)
    }

    @Test(arguments: [nil, "", " ", "Edge; hit, "]) func nothingIsMadeUp(_ field: String?) throws {
        #expect(try status(field) == nil)
    }
}
