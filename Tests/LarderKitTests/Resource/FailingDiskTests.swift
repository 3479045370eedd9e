import Foundation
import LarderKit
import LarderTestKit
import Testing

/// A value on a disk that fails.
struct FailingDiskTests {
    private let folder: TestFolder
    private let disk = FaultyDisk()

    init() throws {
        folder = try TestFolder()
    }

    private func open() throws -> Larder {
        // The clock stands still: what is stored later has no later time.
        try Larder(.folder(folder.url), environment: TestWorld(disk: disk).environment)
    }

    private func value(_ larder: Larder, _ storage: ResourceOptions.Storage) -> Resource<String> {
        larder.common.resource("k", options: ResourceOptions(storage: storage)) { "fetched" }
    }

    /// Whatever cannot be read: a store that returns has stored, and a removal has removed.
    @Test(arguments: ["database", "files"], [true, false])
    func `what says that it is done is done, whichever read fails`(_ place: String, _ isRemoval: Bool) async throws {
        let storage: ResourceOptions.Storage = place == "files" ? .files : .database
        for number in 1...200 {
            disk.reset()
            var larder = try open()
            try await value(larder, storage).store("old")
            larder.close()
            larder = try open()
            let resource = value(larder, storage)
            disk.fail(number, of: [.read])
            let isDone: Bool
            do {
                if isRemoval { try await resource.remove() } else { try await resource.store("new") }
                isDone = true
            } catch {
                isDone = false
            }
            larder.close()
            let isOver = disk.faultCount == 0
            disk.heal()
            larder = try open()
            let found = try value(larder, storage).peek()?.value
            #expect(found == (isDone ? (isRemoval ? nil : "new") : "old") || !isDone && isRemoval && found == nil)
            larder.close()
            if isOver { break }
        }
        #expect(disk.faultCount == 0)
    }

    @Test func `what was fetched is shown although nothing can be read or written`() async throws {
        let larder = try open()
        defer { larder.close() }
        disk.fail(1, of: [.read, .write], .fromThenOn)
        let reading = try await value(larder, .database).read(.networkOnly)
        #expect(reading.value == "fetched" && reading.warnings.count == 1)
    }
}
