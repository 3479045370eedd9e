import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

@Suite struct StorageErrorTests {
    @Test func `a disk too full for the index beside the database is a full disk`() {
        let error = StorageError.wrapping(SQLiteError(.ioErrorSharedMemorySize, .open, "disk I/O error"))
        #expect(error.kind == .full)
        #expect(error.nextStep?.contains("Free some space") == true)
        #expect(StorageError.wrapping(SQLiteError(.ioError, .step, "disk I/O error")).kind == .other)
    }

    @Test func `a cache on a full disk that has nothing in reserve is not opened, and says why`() async throws {
        let folder = try TestFolder()
        guard let disk = try SmallDisk(in: folder) else {
            try Test.cancel("needs root and mount, for a disk that is full")
        }
        defer { disk.unmount() }
        let environment = TestWorld().environment
        let options = LarderOptions(budget: StorageBudget(bytes: 1 << 20))
        do {
            let larder = try Larder(.folder(disk.url), options: options, environment: environment)
            _ = try await larder.common.resource("k") { 1 }.read()
            larder.close()
        }
        let ballast = disk.url.appendingPathComponent("ballast")
        #expect(FileManager.default.createFile(atPath: ballast.path, contents: nil))
        let handle = try FileHandle(forWritingTo: ballast)
        while (try? handle.write(contentsOf: Data(count: 4096))) != nil {}
        try handle.close()
        let error = #expect(throws: StorageError.self) {
            try Larder(.folder(disk.url), options: options, environment: environment)
        }
        #expect(error?.kind == .full)
        #expect(error?.nextStep?.isEmpty == false)

        try FileManager.default.removeItem(at: ballast)
        let larder = try Larder(.folder(disk.url), environment: environment)
        #expect(try larder.common.resource("k") { 2 }.peek()?.value == 1)
    }

    @Test func `a cancelled task is no trouble with the disk`() {
        let error = StorageError.wrapping(CancellationError())
        #expect(error.kind == .other && error.explanation.contains("cancelled"))
        guard case .cancelled = LarderError(error) else {
            Issue.record("\(LarderError(error))")
            return
        }
        guard case .storage = LarderError(.closed) else {
            Issue.record("\(LarderError(.closed))")
            return
        }
    }
}
