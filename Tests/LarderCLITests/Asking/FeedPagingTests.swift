import LarderKit
import Testing

@testable import LarderCLI

@Suite struct FeedPagingTests {
    static let all: [FeedPaging] = PagingKind.allCases.flatMap { kind in
        kind.orders.flatMap { order in
            [(1, false), (0, true)].map { first, assumes in
                var paging = FeedPaging(kind, order)
                if kind == .page { (paging.firstPage, paging.assumesNeighbours) = (first, assumes) }
                return paging
            }
        }
    }

    @Test(arguments: all)
    func whatIsSaidIsReadBackFromTheDeclaration(paging: FeedPaging) {
        #expect(FeedPaging(paging.paging([.max])) == paging)
    }

    @Test func aKindIsTheLibrarysOwn() {
        #expect(FeedPaging(.id, .text).paging([.max]) == .byID(.text, parameters: [.max]))
        #expect(FeedPaging(.after).paging([.max]) == .afterItem(parameters: [.max]))
        #expect(FeedPaging(.cursor).paging([]) == .cursor())
        #expect(FeedPaging(.link, .ranked).paging([]) == .link(order: .ranked))
        #expect(FeedPaging(.offset).paging([]) == .offset())
        var pages = FeedPaging(.page)
        pages.firstPage = 0
        pages.assumesNeighbours = true
        #expect(pages.paging([]) == .pageNumber(startingAt: 0, neighbours: .areAssumed))
    }
}
