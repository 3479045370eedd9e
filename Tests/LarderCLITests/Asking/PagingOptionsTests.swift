import LarderKit
import Testing

@testable import LarderCLI

@Suite struct PagingOptionsTests {
    private func options(_ arguments: [String]) throws -> PagingOptions {
        try PagingOptions(
            ArgumentParser(spec: CommandSpec("feed", summary: "", groups: PagingOptions.groups)).parse(arguments))
    }

    @Test(
        arguments: [
            ([], nil), (["--paging", "link"], .link), (["--next", "a.b"], .cursor), (["--cursor-param", "c"], .cursor),
            (["--paging", "link", "--next", "links.next"], .link), (["--page-param", "p"], .page),
            (["--first-page", "0"], .page), (["--assume-neighbours"], .page), (["--offset-param", "skip"], .offset),
            (["--max-param", "before"], nil),
        ] as [([String], PagingKind?)])
    func anOptionStandsForTheKindItBelongsTo(arguments: [String], kind: PagingKind?) throws {
        #expect(try options(arguments).kind == kind)
    }

    @Test(
        arguments: [
            (["--paging", "link", "--page-param", "p"], "--page-param goes with --paging page"),
            (["--paging", "page", "--next", "a"], "--next goes with --paging cursor or link"),
            (["--next", "a", "--offset-param", "o"], "--next means --paging cursor"),
            (
                ["--paging", "cursor", "--next", "a", "--since-param", "s"],
                "--since-param goes with --paging id or after"
            ),
            (["--paging", "link", "--order", "decimal"], "in order server or ranked, not decimal"),
            (["--paging", "id", "--order", "server"], "in order decimal or text, not server"),
            (["--paging", "lnk"], "did you mean link?"), (["--cursor-param="], "--cursor-param needs a name"),
            (["--next", "$..a"], "--next"), (["--first-page", "-1"], "--first-page takes"),
        ])
    func whatDoesNotGoTogetherIsRefusedWithTheWayOut(arguments: [String], message: String) throws {
        let error = #expect(throws: UsageError.self) { try options(arguments) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test func whatIsNotSaidIsAsItIsStored() throws {
        var pages = FeedPaging(.page, .ranked)
        pages.firstPage = 0
        pages.assumesNeighbours = true
        #expect(try options([]).paging(keptAs: pages) == pages)
        #expect(try options([]).paging(keptAs: FeedPaging(.id, .text)) == FeedPaging(.id, .text))
        #expect(
            try options(["--paging", "link"]).paging(keptAs: FeedPaging(.link, .ranked)) == FeedPaging(.link, .ranked))
        #expect(try options(["--order", "ranked"]).paging(keptAs: FeedPaging(.link)) == FeedPaging(.link, .ranked))
        #expect(try options(["--first-page", "1"]).paging(keptAs: pages).firstPage == 1)
        // To say the kind alone takes the assumption back.
        #expect(try !options(["--paging", "page"]).paging(keptAs: pages).assumesNeighbours)
    }

    @Test func anOrderByIDIsPagedByID() throws {
        #expect(try options([]).paging(keptAs: nil) == FeedPaging(.after))
        #expect(try options(["--order", "text"]).paging(keptAs: FeedPaging(.link)) == FeedPaging(.id, .text))
        #expect(try options(["--order", "server"]).paging(keptAs: FeedPaging(.id)) == FeedPaging(.after))
        #expect(try options(["--paging", "id"]).paging(keptAs: nil) == FeedPaging(.id, .decimal))
        #expect(try options(["--paging", "cursor"]).paging(keptAs: FeedPaging(.id, .text)) == FeedPaging(.cursor))
    }

    @Test func pathsAndNamesAreTakenUp() throws {
        let options = try options([
            "--items", "data", "--next", "paging.next", "--more", "$.has_more", "--envelope", "--cursor-param", "c",
        ])
        #expect(options.json == (try JSONItems(at: "data", next: "paging.next", more: "has_more", keepsEnvelope: true)))
        #expect(options.parameters.cursor == "c")
    }
}
