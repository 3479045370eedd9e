import Foundation
import LarderSQLite
import Testing

@Suite struct DatabaseImageTests {
    static let forms: [SampleFile.Form] = [512, 1024, 4096, 8192, 65536].flatMap { size in
        [
            SampleFile.Form(pageSize: size), SampleFile.Form(pageSize: size, autoVacuum: true),
            SampleFile.Form(pageSize: size, autoVacuum: size < 5000, leavesLog: true),
        ]
    }

    @Test(arguments: forms) func everyRowComesAsSQLiteReadsIt(form: SampleFile.Form) throws {
        let sample = try SampleFile(form)
        let image = try #require(sample.image())
        #expect(image.pageSize == form.pageSize)
        #expect(image.schemaVerdict.isComplete)
        #expect(image.schema.map(\.name).sorted() == ["doomed", "item", "item_name", "pair"])
        let items = SampleFile.items(image)
        #expect(items.rows == sample.items)
        #expect(items.verdict.isComplete, "\(items.verdict.faults)")

        var pairs: [[SQLValue]] = []
        let pair = try #require(image.schema.first { $0.name == "pair" })
        let verdict = image.entries(ofIndexRootedAt: pair.rootPage) { pairs.append($0.values) }
        #expect(pairs == sample.pairs)
        #expect(verdict.isComplete, "\(verdict.faults)")

        var entries = 0
        let index = try #require(image.schema.first { $0.name == "item_name" })
        #expect(image.entries(ofIndexRootedAt: index.rootPage) { _ in entries += 1 }.isComplete)
        #expect(entries == sample.items.count)
    }

    @Test(arguments: forms) func soundFileHasNoOrphans(form: SampleFile.Form) throws {
        let image = try #require(try SampleFile(form).image())
        let orphans = image.orphans { _ in Issue.record("a row of a page that is free or in use") }
        #expect(!orphans.areUnknown)
        #expect(orphans.pages == 0)
    }

    @Test(arguments: ["UTF-16le", "UTF-16be"]) func textsOfOtherEncodingsAreRead(encoding: String) throws {
        let sample = try SampleFile(SampleFile.Form(encoding: encoding, rows: 40))
        let image = try #require(sample.image())
        let items = SampleFile.items(image)
        #expect(items.verdict.isComplete)
        #expect(items.rows[6]?[2] == .text("näme 2"))
    }

    @Test func bytesThatAreNoDatabaseGiveNothing() {
        #expect(DatabaseImage(file: Data(), log: nil) == nil)
        #expect(DatabaseImage(file: Data("<html><body>Sign in</body></html>".utf8), log: nil) == nil)
        #expect(DatabaseImage(file: Data(count: 100_000), log: nil) == nil)
    }

    @Test func logIsReadUpToItsLastWholeCommit() throws {
        let scratch = try Scratch()
        let database = try PlainDatabase(scratch.path())
        try database.run(
            "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE item (id INTEGER PRIMARY KEY, a, b, c, d)"
        )
        for id in 1...50 { try database.run("INSERT INTO item VALUES (\(id), 1, 'x', x'01', 0.5)") }
        let file = try Data(contentsOf: URL(fileURLWithPath: scratch.path()))
        let log = try Data(contentsOf: URL(fileURLWithPath: scratch.path() + "-wal"))
        let counts = stride(from: log.count, to: 0, by: -1031).map { length in
            DatabaseImage(file: file, log: log.prefix(length)).map { SampleFile.items($0).rows.keys.sorted() } ?? []
        }
        #expect(counts.first == Array(1...50))
        for ids in counts { #expect(ids == Array(1..<Int64(ids.count) + 1)) }
        #expect(Set(counts.map(\.count)).count > 20)
        // One wrong byte, and nothing after it counts.
        var flipped = log
        flipped[log.count / 2] ^= 0x10
        let rows = try #require(DatabaseImage(file: file, log: flipped).map { SampleFile.items($0).rows })
        #expect((20..<30).contains(rows.count))
    }
}
