import Foundation
import LarderKit
import Testing

@testable import LarderCLI

@Suite struct RepairNoticeTests {
    private let notice = RepairNotice(folder: URL(fileURLWithPath: "/c"))

    @Test func aRepairIsToldWithWhatItCost() {
        let line = notice.line(.repaired(kept: 9, lost: 1, gaps: 2))
        #expect(line?.contains("the cache /c was damaged and has been repaired") == true)
        #expect(line?.contains("1 row lost, 2 gaps left in lists.") == true)
        #expect(notice.line(.repaired(kept: 9, lost: 0, gaps: 0))?.contains("nothing is known to be lost") == true)
    }

    @Test func aRepairThatFailedNamesTheNextCommand() {
        #expect(notice.line(.repairFailed(.full))?.contains("'larder repair --cache /c'") == true)
    }

    @Test func whatIsNoWordOfARepairIsNotTold() {
        #expect(notice.line(.signedOut) == nil)
    }
}
