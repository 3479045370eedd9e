import Foundation
import LarderSQLite
import LarderTestKit
import Testing

struct PowerLossTests {
    private func states(
        of events: [DiskEvent], beginning: DiskContents = DiskContents(), limit: Int = 1000
    ) -> [DiskContents] {
        var power = PowerLoss(DiskRecording(beginning: beginning, events: events))
        power.advance(to: events.count)
        return power.states(limit: limit, seed: 1)
    }

    private func files(_ states: [DiskContents]) -> Set<[String: String]> {
        Set(states.map { $0.files.mapValues { String(decoding: $0, as: UTF8.self) } })
    }

    private let bytes = Data("abc".utf8)

    // MARK: What may be there

    @Test func whatIsSyncedIsThere() {
        let events: [DiskEvent] = [
            .create("a"), .write("a", offset: 0, bytes), .sync("a"), .syncFolder(""),
        ]
        #expect(files(states(of: events)) == [["a": "abc"]])
    }

    @Test func whatIsNotSyncedMayBeThere() {
        let beginning = DiskContents(files: ["a": bytes])
        let events: [DiskEvent] = [.write("a", offset: 1, Data("X".utf8)), .truncate("a", size: 2)]
        #expect(
            files(states(of: events, beginning: beginning)) == [
                ["a": "abc"], ["a": "aXc"], ["a": "ab"], ["a": "aX"],
            ])
    }

    @Test func theBytesOfAFileAreNotItsName() {
        let events: [DiskEvent] = [.create("a"), .write("a", offset: 0, bytes), .sync("a")]
        #expect(files(states(of: events)) == [[:], ["a": "abc"]])
    }

    @Test func aRenameMayHappenBeforeTheBytes() {
        let beginning = DiskContents(files: ["a": Data("old".utf8)])
        let events: [DiskEvent] = [.create("t"), .write("t", offset: 0, bytes), .rename("t", to: "a")]
        #expect(
            files(states(of: events, beginning: beginning)) == [
                ["a": "old"], ["a": "old", "t": ""], ["a": "old", "t": "abc"], ["a": ""], ["a": "abc"],
            ])
        let synced = [events[0], events[1], .sync("t"), events[2], .syncFolder("")]
        #expect(files(states(of: synced, beginning: beginning)) == [["a": "abc"]])
    }

    @Test func whatIsDeletedMayStillBeThere() {
        let beginning = DiskContents(files: ["f/a": bytes], folders: ["f"])
        #expect(files(states(of: [.delete("f/a")], beginning: beginning)) == [["f/a": "abc"], [:]])
        #expect(files(states(of: [.delete("f/a"), .syncFolder("f")], beginning: beginning)) == [[:]])
        // It is the folder of the file that has to be synced.
        #expect(files(states(of: [.delete("f/a"), .syncFolder("")], beginning: beginning)).count == 2)
    }

    @Test func whatIsInAFolderThatIsNotThereIsNotThere() {
        let events: [DiskEvent] = [
            .createFolder("f"), .create("f/a"), .write("f/a", offset: 0, bytes), .sync("f/a"), .syncFolder("f"),
        ]
        #expect(files(states(of: events)) == [[:], ["f/a": "abc"]])
    }

    @Test func aWriteMayEndAtEachSector() {
        let beginning = DiskContents(files: ["a": Data()])
        // Over the end of one sector, two whole ones, and into another.
        let events: [DiskEvent] = [.write("a", offset: 500, Data(repeating: 1, count: 1100))]
        let sizes = states(of: events, beginning: beginning).map { $0.files["a"]?.count }
        #expect(Set(sizes) == [0, 512, 1024, 1536, 1600])
    }

    @Test func manyChoicesAreDrawnByLot() {
        let beginning = DiskContents(files: ["a": Data()])
        let events = (0..<40).map { DiskEvent.write("a", offset: $0 * 512, Data(repeating: 1, count: 512)) }
        let some = states(of: events, beginning: beginning, limit: 50)
        #expect(some.count > 40 && some.count <= 50)
        #expect(some.contains { $0.files["a"] == Data() })
        #expect(some.contains { $0.files["a"]?.count == 40 * 512 })
        #expect(some == states(of: events, beginning: beginning, limit: 50))
    }

    // MARK: A database

    /// All states of a database at all moments of some transactions.
    private func check(_ synchronous: Configuration.Synchronous) throws -> (states: Int, lost: Int) {
        let scratch = try DiskScratch()
        try scratch.disk.record(scratch.folder)
        let database = try scratch.open(synchronous: synchronous, checkpointThreshold: 12)
        try database.makeNotes()
        var written: [Int] = [scratch.disk.moment]
        let titles = (1...8).map { String(repeating: "\($0)", count: 40 * $0) }
        for title in titles {
            try database.add(title)
            written.append(scratch.disk.moment)
        }
        database.close()
        let recording = try #require(scratch.disk.endRecording())
        var power = PowerLoss(recording)
        var lost = 0
        var count = 0
        for moment in stride(from: written[0], through: recording.events.count, by: 3) {
            power.advance(to: moment)
            for contents in power.states(limit: 6, seed: 1) {
                let copy = try DiskScratch()
                try contents.write(to: copy.folder.appending(path: "copy"))
                var configuration = Configuration()
                configuration.synchronous = synchronous
                let found = try Database(
                    .file(copy.folder.appending(path: "copy/test.sqlite").path), configuration: configuration)
                #expect(try found.isSound())
                // It may be lost that there is a table at all.
                let present = (try? found.titles()) ?? []
                #expect(present == Array(titles.prefix(present.count)))
                if present.count < written.count(where: { $0 <= moment }) - 1 { lost += 1 }
                count += 1
            }
        }
        return (count, lost)
    }

    @Test func aDatabaseIsSoundAfterEveryPowerLoss() throws {
        let result = try check(.normal)
        // It may forget the last transactions, and that shows here.
        #expect(result.states > 50 && result.lost > 0)
    }

    @Test func whatAFullyDurableDatabaseHasCommittedIsThere() throws {
        #expect(try check(.full).lost == 0)
    }

    @Test func aDatabaseThatNeverSyncsIsFoundOut() throws {
        let scratch = try DiskScratch()
        try scratch.disk.record(scratch.folder)
        let database = try scratch.open(synchronous: .off)
        try database.makeNotes()
        for number in 0..<200 { try database.add(String(repeating: "\(number)", count: 300)) }
        database.close()
        let recording = try #require(scratch.disk.endRecording())
        var power = PowerLoss(recording)
        power.advance(to: recording.events.count)
        var unsound = 0
        for contents in power.states(limit: 12, seed: 3) {
            let copy = try DiskScratch()
            try contents.write(to: copy.folder.appending(path: "copy"))
            let isSound = try? Database(.file(copy.folder.appending(path: "copy/test.sqlite").path)).isSound()
            if isSound != true { unsound += 1 }
        }
        #expect(unsound > 0)
    }
}
