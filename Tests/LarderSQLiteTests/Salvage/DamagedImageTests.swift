import Foundation
import LarderSQLite
import Testing

@testable import LarderSQLite

@Suite struct DamagedImageTests {
    /// The pages of the table `item` by kind, from the first form a test needs.
    private func pages(_ sample: SampleFile, _ size: Int, _ kind: TreePage.Kind) throws -> [Int] {
        let image = try #require(sample.image())
        var leaves: Set<Int> = []
        let root = try #require(image.schema.first { $0.name == "item" }?.rootPage)
        _ = image.rows(ofTableRootedAt: root) { leaves.insert(Int($0.page)) }
        return kind == .tableLeaf ? leaves.sorted() : [Int(root)]
    }

    @Test func damagedLeafCostsItsRowsAlone() throws {
        var sample = try SampleFile(SampleFile.Form(pageSize: 4096))
        let leaf = try pages(sample, 4096, .tableLeaf)[2]
        let whole = SampleFile.items(try #require(sample.image())).rows
        var lost: Set<Int64> = []
        let root = try #require(sample.image()?.schema.first { $0.name == "item" }?.rootPage)
        _ = sample.image()?.rows(ofTableRootedAt: root) { row in
            if row.page == UInt32(leaf), let id = row.rowID { lost.insert(id) }
        }
        sample.overwrite(page: leaf, size: 4096) { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7) }
        let found = SampleFile.items(try #require(sample.image()))
        #expect(!found.verdict.isComplete)
        #expect(found.rows == whole.filter { !lost.contains($0.key) })
        #expect(!lost.isEmpty)
    }

    @Test(arguments: [true, false]) func leavesOfALostRootAreFound(autoVacuum: Bool) throws {
        var sample = try SampleFile(SampleFile.Form(pageSize: 1024, autoVacuum: autoVacuum))
        let root = try pages(sample, 1024, .tableInterior)[0]
        sample.overwrite(page: root, size: 1024) { _ in 0xAA }
        let image = try #require(sample.image())
        let found = SampleFile.items(image)
        #expect(found.rows.isEmpty)
        #expect(!found.verdict.isComplete)
        var rows: [Int64: [SQLValue]] = [:]
        let orphans = image.orphans { SampleFile.add($0, to: &rows) }
        #expect(!orphans.areUnknown)
        // All of them, and none that was deleted: their pages are free.
        #expect(rows == sample.items)
    }

    @Test func freedPagesAreNotReadWhereNothingTellsThem() throws {
        var sample = try SampleFile(SampleFile.Form(pageSize: 1024))
        // The head of the freelist leads astray.
        sample.file[35] ^= 0x04
        let root = try pages(sample, 1024, .tableInterior)[0]
        sample.overwrite(page: root, size: 1024) { _ in 0 }
        let orphans = try #require(sample.image()).orphans { _ in Issue.record("may have been removed") }
        #expect(orphans.areUnknown)
    }

    @Test func pointerMapTellsFreedPagesWithoutTheFreelist() throws {
        var sample = try SampleFile(SampleFile.Form(pageSize: 1024, autoVacuum: true))
        for offset in 0..<1024 { sample.file[offset] = 0x55 }
        let image = try #require(sample.image())
        #expect(image.pageSize == 1024)
        #expect(image.schema.isEmpty)
        var rows: [Int64: [SQLValue]] = [:]
        var deleted = 0
        let orphans = image.orphans { row in
            if row.values.count == 2 { deleted += 1 }
            SampleFile.add(row, to: &rows)
        }
        #expect(!orphans.areUnknown)
        #expect(rows == sample.items)
        #expect(deleted == 0)
    }

    @Test(arguments: [512, 4096, 8192]) func pageSizeIsToldByThePagesWhereTheHeaderIsWrong(size: Int) throws {
        var sample = try SampleFile(SampleFile.Form(pageSize: size))
        for offset in 0..<100 { sample.file[offset] = UInt8(offset) }
        let image = try #require(sample.image())
        #expect(image.pageSize == size)
        // The schema stands behind the header.
        #expect(SampleFile.items(image).rows == sample.items)
    }

    @Test func halfAFileGivesTheRowsOfItsPages() throws {
        var sample = try SampleFile(SampleFile.Form(pageSize: 1024, autoVacuum: true, rows: 600))
        sample.file = sample.file.prefix(sample.file.count / 2)
        let image = try #require(sample.image())
        var rows: [Int64: [SQLValue]] = SampleFile.items(image).rows
        _ = image.orphans { SampleFile.add($0, to: &rows) }
        #expect(rows.count > 100)
        for (id, row) in rows { #expect(row == sample.items[id]) }
    }

    @Test func swappedPagesAreNoticed() throws {
        var sample = try SampleFile(SampleFile.Form(pageSize: 4096))
        let leaves = try pages(sample, 4096, .tableLeaf)
        let (one, other) = ((leaves[1] - 1) * 4096, (leaves[4] - 1) * 4096)
        let bytes = sample.file[one..<one + 4096]
        sample.file.replaceSubrange(one..<one + 4096, with: sample.file[other..<other + 4096])
        #expect(!SampleFile.items(try #require(sample.image())).verdict.isComplete)
        sample.file.replaceSubrange(other..<other + 4096, with: bytes)
        let found = SampleFile.items(try #require(sample.image()))
        #expect(found.verdict.faults.contains { $0.reason == .misplaced })
        #expect(found.rows == sample.items)
    }

    @Test func aCellThatIsNoLongerCountedIsNoticed() throws {
        var sample = try SampleFile(SampleFile.Form(pageSize: 4096))
        let leaf = (try pages(sample, 4096, .tableLeaf)[1] - 1) * 4096
        sample.file[leaf + 4] -= 1
        let found = SampleFile.items(try #require(sample.image()))
        #expect(found.rows.count == sample.items.count - 1)
        #expect(!found.verdict.isComplete)
    }

    @Test func circlesOfOverflowPagesEnd() throws {
        var sample = try SampleFile(SampleFile.Form(pageSize: 512))
        // Every page that begins with a number of another one, after the first, leads to itself.
        let count = sample.file.count / 512
        for page in 1..<count where sample.file[page * 512] == 0 {
            sample.file.replaceSubrange(
                page * 512 + 2..<page * 512 + 4, with: [UInt8((page + 1) >> 8), UInt8((page + 1) & 0xFF)])
        }
        let found = SampleFile.items(try #require(sample.image()))
        #expect(found.verdict.damagedRows > 0)
        for (id, row) in found.rows { #expect(row == sample.items[id]) }
    }
}
