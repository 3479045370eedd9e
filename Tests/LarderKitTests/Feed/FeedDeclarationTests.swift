import LarderTestKit
import Testing

@testable import LarderKit

/// How a feed is paged is found again where it is stored.
@Suite struct FeedDeclarationTests {
    static let pagings: [Paging] = [
        .byID(.decimal, parameters: []),
        .byID(.text, parameters: [], shortPages: .proveTheEnd, emptyPages: .areTrusted),
        .afterItem(parameters: []), .afterItem(order: .ranked, parameters: []), .cursor(), .cursor(order: .ranked),
        .link(emptyPages: .areTrusted), .link(order: .ranked), .offset(), .offset(shortPages: .proveTheEnd),
        .pageNumber(), .pageNumber(startingAt: 0, neighbours: .areAssumed),
        .pageNumber(startingAt: -1, order: .ranked, shortPages: .proveTheEnd, emptyPages: .areTrusted),
    ]

    @Test(arguments: pagings)
    func aDeclarationIsReadBack(paging: Paging) async throws {
        let larder = try Larder(.temporary, environment: TestWorld().environment)
        #expect(try larder.paging(ofFeed: "list", in: "") == nil)
        let feed = larder.common.feed("list", id: \.self, paging: paging) { _ in Page(["a"], next: nil) }
        try await feed.refresh()
        #expect(try larder.paging(ofFeed: "list", in: "") == paging)
    }

    @Test(
        arguments: [
            "", "position-newestOnTop", "position-up proveNothing mustComeTwice", "id-decimal proveNothing maybe",
            "id-decimal proveNothing mustComeTwice cursor",
            "position-ranked proveNothing mustComeTwice page-x areChecked",
            "position-ranked proveNothing mustComeTwice page-1",
        ])
    func whatIsNoDeclarationIsDamage(fingerprint: String) {
        let error = #expect(throws: StorageError.self) { try Paging(fingerprint: fingerprint) }
        #expect(error?.kind == .corrupt)
    }
}
