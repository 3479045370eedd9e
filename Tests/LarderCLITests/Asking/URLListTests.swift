import Testing

@testable import LarderCLI

@Suite struct URLListTests {
    @Test func emptyLinesAndCommentsAreNoURLsAndEachURLCountsOnce() throws {
        var list = try URLList(["https://a.test/1"])
        try list.add(lines: "# all\n\n  https://a.test/2 \r\nHTTPS://A.test:443/1\nhttps://a.test/2#top\n", of: "f")
        #expect(list.urls == ["https://a.test/1", "https://a.test/2"])
    }

    @Test func aLineThatIsNoURLIsToldByItsNumber() throws {
        var list = try URLList([])
        let error = #expect(throws: UsageError.self) { try list.add(lines: "https://a.test/\nftp://b", of: "list.txt") }
        #expect(error?.description.hasPrefix("line 2 of list.txt: the URL must start with http://") == true)
    }
}
