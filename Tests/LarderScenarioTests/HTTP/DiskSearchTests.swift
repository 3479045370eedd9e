import Foundation
import Testing

@testable import LarderScenarios

struct DiskSearchTests {
    @Test func everyFileIsLookedThrough() throws {
        let folder = try CaseFolder()
        try folder.add("one needle, two needles", as: "cache.sqlite")
        try folder.add("needle", as: "cache.sqlite-wal")
        try folder.add("hay", as: "files/a")
        try folder.add("needle", as: "files/deep/.hidden")
        #expect(try DiskSearch.count("needle", in: folder.url) == 4)
        #expect(try DiskSearch.count("pin", in: folder.url) == 0)
    }

    @Test func aFolderThatIsNotThereIsNoEmptyOne() throws {
        let folder = try CaseFolder()
        #expect(throws: CaseFailure.self) {
            try DiskSearch.count("x", in: folder.url.appendingPathComponent("none"))
        }
    }
}
