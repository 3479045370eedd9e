import Dispatch
import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// Another process holds the locks that a write needs: a while, or for longer than is waited for.
@Suite(.timeLimit(.minutes(5))) struct BusyTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func larder(_ busyLimit: Duration) throws -> Larder {
        try Larder(
            .folder(folder.url), options: LarderOptions(busyLimit: busyLimit), environment: TestWorld().environment)
    }

    /// What another process's transaction holds, until it is told to end.
    private func lockDatabase() async throws -> @Sendable () async throws -> Void {
        let other = try Database(.file(folder.url("cache.sqlite").path))
        let (locked, release) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        let holder = Task {
            try await other.write { _ in
                locked.continuation.finish()
                release.wait()
            }
        }
        for await _ in locked.stream {}
        return {
            release.signal()
            try await holder.value
        }
    }

    @Test func `a write waits for the other one's end, and reads do not`() async throws {
        let larder = try larder(.seconds(3600))
        let resource = larder.common.resource("k") { 1 }
        try await resource.store(1)
        let release = try await lockDatabase()
        let write = Task { try await resource.store(2) }
        #expect(try resource.peek()?.value == 1)
        #expect(try larder.read { try $0.first("SELECT count(*) FROM larder_entry") { try $0.int(0) } } == 1)
        try await release()
        try await write.value
        #expect(try resource.peek()?.value == 2)
    }

    @Test func `beyond the limit it is given up, nothing is lost, and a read shows what came`() async throws {
        let larder = try larder(.milliseconds(30))
        let resource = larder.common.resource("k") { 2 }
        try await resource.store(1)
        let release = try await lockDatabase()
        let error = await #expect(throws: LarderError.self) { try await resource.store(3) }
        guard case .storage(let trouble)? = error, trouble.kind == .busy else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(trouble.nextStep != nil)
        let reading = try await resource.read(.networkOnly)
        #expect(reading.value == 2)
        guard case .notKept(let reason)? = reading.warnings.first, reason.kind == .busy else {
            Issue.record("\(reading.warnings)")
            return
        }
        #expect(try resource.peek()?.value == 1)
        try await release()
        #expect(try await resource.read(.networkOnly).warnings.isEmpty)
        #expect(try resource.peek()?.value == 2)
    }

    @Test func `opening a new cache that another process holds is given up as well`() async throws {
        // A file without tables, in the state that the other process begins with.
        _ = try Database(.file(folder.url("cache.sqlite").path))
        let release = try await lockDatabase()
        let error = #expect(throws: StorageError.self) { try larder(.milliseconds(30)) }
        #expect(error?.kind == .busy)
        try await release()
        _ = try larder(.milliseconds(30))
    }

    @Test func `a file is not waited for without end`() async throws {
        let store = FileStore(folder: folder.url("files"), busyLimit: .milliseconds(30))
        let key = StoreKey(key: "k")
        @Sendable func entry(_ text: String) -> StoredEntry {
            StoredEntry(body: Data(text.utf8), metadata: EntryMetadata(codec: .served, storedAt: Date()))
        }
        try await store.put(entry("1"), for: key)
        let (held, release) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        let holder = Task { [folder] in
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "holder").async {
                    let result: Void? = try? FolderLock.hold(folder.url("files")) {
                        held.continuation.finish()
                        release.wait()
                    }
                    continuation.resume(returning: result != nil)
                }
            }
        }
        for await _ in held.stream {}
        let writes: [@Sendable () async throws -> Void] = [
            { _ = try await store.put(entry("2"), for: key) }, { try await store.remove(key) },
        ]
        for write in writes {
            let error = await #expect(throws: StorageError.self) { try await write() }
            #expect(error?.kind == .busy)
        }
        #expect(try store.entry(for: key)?.body == Data("1".utf8))

        let patient = FileStore(folder: folder.url("files"), busyLimit: .seconds(3600))
        let cancelled = Task { try await patient.put(entry("3"), for: key) }
        cancelled.cancel()
        await #expect(throws: StorageError.self) { try await cancelled.value }
        let waiting = Task { try await patient.put(entry("4"), for: key) }
        release.signal()
        #expect(await holder.value)
        #expect(try await waiting.value)
        #expect(try store.entry(for: key)?.body == Data("4".utf8))
    }
}
