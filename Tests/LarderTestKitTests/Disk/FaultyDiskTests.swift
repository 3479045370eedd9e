import Foundation
import LarderSQLite
import LarderTestKit
import Testing

struct FaultyDiskTests {
    private let scratch: DiskScratch
    private var disk: FaultyDisk { scratch.disk }

    init() throws {
        scratch = try DiskScratch()
    }

    private func code(_ body: () throws -> Void) -> SQLiteError.Code? {
        do { try body() } catch let error as SQLiteError { return error.code } catch {}
        return nil
    }

    // MARK: A disk that does not fail

    @Test func aDatabaseInWALModeWorksThroughIt() throws {
        let database = try scratch.open()
        try database.makeNotes()
        try database.add("one", "two")
        #expect(try database.titles() == ["one", "two"])
        #expect(FileManager.default.fileExists(atPath: scratch.path + "-wal"))
        database.close()
        #expect(!FileManager.default.fileExists(atPath: scratch.path + "-wal"))
        #expect(try scratch.open(faulty: false).titles() == ["one", "two"])
    }

    @Test func connectionsThroughItShareTheirMemory() throws {
        let database = try scratch.open()
        try database.makeNotes()
        let mark = database.commitMark
        #expect(database.commitMark == mark)
        let other = try scratch.open()
        try other.add("one")
        #expect(database.commitMark != mark)
        #expect(try database.titles() == ["one"])
    }

    @Test func whatIsAskedOfItIsCounted() throws {
        let database = try scratch.open()
        try database.makeNotes()
        #expect(disk.counts[.create] ?? 0 >= 1)
        #expect(disk.counts[.open] ?? 0 >= 1)
        disk.reset()
        #expect(disk.counts == [:])
        try database.add("one")
        // A frame of the log is written in two parts: its head, and the page.
        #expect(disk.counts[.write] == 2)
        #expect(disk.count(of: [.write, .sync, .truncate]) == 2)
        database.close()
        #expect(disk.counts[.sync] ?? 0 >= 2)
        #expect(disk.counts[.delete] == 1)
        #expect(disk.faultCount == 0)
    }

    @Test func itLastsAsLongAsSomethingIsOpenThroughIt() throws {
        func open() throws -> Database {
            let disk = FaultyDisk()
            var configuration = Configuration()
            configuration.vfs = disk.vfs
            return try Database(.file(scratch.path), configuration: configuration)
        }
        let database = try open()
        try database.makeNotes()
        // Another disk does not take its place meanwhile.
        let other = FaultyDisk()
        other.fail(1, of: DiskOperation.all, .fromThenOn)
        try database.add("one")
        #expect(try database.titles() == ["one"])
        #expect(other.faultCount == 0)
    }

    // MARK: Each kind of fault

    @Test(arguments: [
        (DiskOperation.write, DiskFault.ioError, SQLiteError.Code.ioErrorWrite),
        (.write, .full, .full),
        (.write, .shortWrite, .ioErrorWrite),
        (.growSharedMemory, .full, .ioErrorSharedMemorySize),
        (.growSharedMemory, .ioError, .ioErrorSharedMemoryMap),
        (.create, .ioError, .cannotOpen),
        (.open, .ioError, .cannotOpen),
        (.read, .ioError, .ioErrorRead),
    ])
    func anOperationFailsAsItIsTold(
        _ operation: DiskOperation, _ fault: DiskFault, _ expected: SQLiteError.Code
    ) throws {
        try {
            let database = try scratch.open(faulty: false)
            try database.makeNotes()
            try database.add("old")
            database.close()
        }()
        disk.fail(1, of: [operation], with: fault)
        let found = code {
            let database = try scratch.open()
            _ = try database.titles()
            try database.add("new")
        }
        #expect(found == expected)
        #expect(disk.faultCount == 1)
        disk.heal()
        let database = try scratch.open()
        #expect(try database.isSound())
        #expect(try database.titles() == ["old"])
    }

    @Test func halfOfAShortWriteLands() throws {
        let database = try scratch.open()
        try database.makeNotes()
        let log = scratch.path + "-wal"
        let size = try #require(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
        // The second write of a commit is the page, behind its head of 24 bytes.
        disk.fail(2, of: [.write], with: .shortWrite)
        #expect(code { try database.add("new") } == .ioErrorWrite)
        #expect(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int == size + 24 + 256)
        #expect(try database.titles() == [])
        try database.add("again")
        #expect(try database.titles() == ["again"])
    }

    @Test func oneFaultIsNotTheNext() throws {
        let database = try scratch.open()
        try database.makeNotes()
        disk.fail(1, of: [.write])
        #expect(code { try database.add("one") } == .ioErrorWrite)
        try database.add("two")
        #expect(try database.titles() == ["two"])
        disk.fail(1, of: [.write], with: .full, .fromThenOn)
        #expect(code { try database.add("three") } == .full)
        #expect(code { try database.add("four") } == .full)
        // A full disk can be read.
        #expect(try database.titles() == ["two"])
        #expect(disk.faultCount == 3)
        disk.heal()
        try database.add("five")
        #expect(try database.titles() == ["two", "five"])
    }

    @Test func aFaultPassesOverWhatCannotFailLikeThat() {
        for operation in [DiskOperation.read, .sync, .delete, .open, .mapSharedMemory] {
            #expect(!DiskFault.full.concerns(operation))
        }
        #expect(DiskOperation.all.filter { DiskFault.shortWrite.concerns($0) } == [.write])
        #expect(DiskOperation.all.allSatisfy { DiskFault.ioError.concerns($0) })
    }

    // MARK: A loop

    /// Whatever fails, and for how long: a transaction has happened or not.
    @Test(arguments: DiskFault.allCases, DiskFailing.allCases)
    func everyWriteIsTheOldStateOrTheNewOne(_ fault: DiskFault, _ failing: DiskFailing) throws {
        var old = 0
        var new = 0
        for number in 1...1000 {
            let scratch = try DiskScratch()
            let database = try scratch.open(checkpointThreshold: 1)
            try database.makeNotes()
            try database.add("old")
            scratch.disk.fail(number, of: DiskOperation.all, with: fault, failing)
            let isWritten = (try? database.add("new", String(repeating: "long", count: 500))) != nil
            database.close()
            let isOver = scratch.disk.faultCount == 0
            scratch.disk.heal()
            let healthy = try scratch.open(faulty: false)
            #expect(try healthy.isSound())
            let titles = try healthy.titles()
            if titles == ["old"] {
                #expect(!isWritten)
                old += 1
            } else {
                #expect(titles == ["old", "new", String(repeating: "long", count: 500)])
                new += 1
            }
            if isOver { break }
        }
        #expect(old > 0 && new > 1)
    }
}
