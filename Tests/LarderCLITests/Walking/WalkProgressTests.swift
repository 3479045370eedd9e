import Testing

@testable import LarderCLI

@Suite struct WalkProgressTests {
    @Test func itTellsItemsRequestsAndGaps() {
        #expect(WalkProgress.text(items: 120, requests: 7, gaps: 2) == "120 items, 7 requests, 2 gaps left")
        #expect(WalkProgress.text(items: 120, requests: 7, gaps: nil) == "120 items, 7 requests")
        #expect(WalkProgress.text(items: 1, requests: 1, gaps: 1) == "1 item, 1 request, 1 gap left")
    }
}
