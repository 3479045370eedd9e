import Foundation
import LarderKit
import LarderSQLite
import LarderTestKit

/// One run of a case about the disk, in a new folder.
final class StorageRun {
    private let script: StorageScript
    private let outer: URL
    private let folder: URL
    private let quota: QuotaDisk?
    private var larder: Larder?
    private var others: [SecondConnection] = []
    private var streams: [Task<Void, Never>] = []
    /// Streams that nobody takes anything from.
    private var held: [Any] = []
    private var bodies: [String: Data] = [:]

    init(_ script: StorageScript) throws {
        self.script = script
        outer = FileManager.default.temporaryDirectory
            .appendingPathComponent("larder-scenario-\(UUID().uuidString)", isDirectory: true)
        folder = outer.appendingPathComponent("cache", isDirectory: true)
        quota = script.diskSize.map { [folder] in QuotaDisk(folder: folder, size: $0) }
    }

    /// - Throws: ``CaseFailure`` at the first thing that is not as expected.
    func run() async throws {
        defer { try? FileManager.default.removeItem(at: outer) }
        try await open()
        var failure: (any Error)?
        do {
            for step in script.steps {
                do { try await run(step) } catch {
                    throw ((error as? CaseFailure) ?? CaseFailure("expected no error, got \(error)")).within(step.name)
                }
            }
        } catch {
            failure = error
        }
        for other in others { await other.stop() }
        for stream in streams { stream.cancel() }
        larder?.close()
        if let failure { throw failure }
    }

    private func open() async throws {
        var options = LarderOptions(budget: script.capacity.map { StorageBudget(bytes: $0) } ?? .unlimited)
        if let limit = script.busyLimit { options.busyLimit = limit }
        let environment = LarderEnvironment(
            connectivity: ManualConnectivity(.online), disk: quota ?? SystemDisk() as any DiskAccess)
        let larder = try Larder(.folder(folder), options: options, environment: environment)
        self.larder = larder
        if let quota {
            try await larder.write { db in try db.executeScript("PRAGMA max_page_count = \(quota.pages)") }
        }
    }

    private func opened() throws(CaseFailure) -> Larder {
        guard let larder else { throw CaseFailure("the cache is closed") }
        return larder
    }

    private func run(_ step: StorageStep) async throws {
        var record = StorageRecord()
        let clock = ContinuousClock()
        let begin = clock.now
        do {
            try await perform(step, &record)
        } catch LarderError.storage(let error) {
            record.error = error
        } catch let error as StorageError {
            record.error = error
        }
        record.took = clock.now - begin
        let isErrorExpected = step.expectations.contains { expectation in
            switch expectation.kind {
            case .error, .storedOrReported: true
            case .ok(let truth): !truth
            default: false
            }
        }
        if let error = record.error, !isErrorExpected { throw CaseFailure("expected no error, got \(error)") }
        if case .put = step.operation { record.value = try look(step.key, step.storage) }
        for expectation in step.expectations {
            let failure = try record.failure(
                of: expectation, bodies, look: { try look($0, step.storage) }, used: { try used() })
            if let failure { throw CaseFailure(failure) }
        }
    }

    private func perform(_ step: StorageStep, _ record: inout StorageRecord) async throws {
        switch step.operation {
        case .elsewhere(let work, let seconds):
            // What it did before is over: one process does one thing after another.
            for other in others { await other.stop() }
            others = [
                try await SecondConnection(
                    work, on: folder.appendingPathComponent("cache.sqlite").path, holding: seconds)
            ]
        case .put(let body):
            bodies[body.name] = body.data
            try await resource(step.key, step.storage, body.data).store(body.data)
        case .fetch(let body):
            bodies[body.name] = body.data
            let reading = try await resource(step.key, step.storage, body.data).read(.networkOnly)
            for case .notKept(let error) in reading.warnings { record.error = error }
            record.value = reading.value
        case .get:
            record.value = try look(step.key, step.storage)
        case .remove:
            try await resource(step.key, step.storage, nil).remove()
        case .putMany(let keys, let bytes):
            for key in keys {
                let body = StorageBody(key, bytes: bytes).data
                try await resource(key, step.storage, body).store(body)
            }
        case .openChangeStream(let isConsumed):
            try await openStream(isConsumed: isConsumed)
        case .fileSize(let suffix):
            record.size = DiskUse(of: folder).files(beginning: "cache.sqlite\(suffix)")
        case .pin(let isPinned):
            try await resource(step.key, step.storage, nil).pin(isPinned)
        case .close:
            larder?.close()
            larder = nil
            record.size = DiskUse(of: folder).files(beginning: "cache.sqlite-wal")
        case .reopen:
            larder?.close()
            try await open()
        case .stat, .enqueue:
            break
        }
    }

    private func resource(_ key: String, _ storage: ResourceOptions.Storage, _ body: Data?) throws -> Resource<Data> {
        try opened().common.bytes(key, options: ResourceOptions(storage: storage)) { _ in
            guard let body else { throw FetchFailure(.offline, "scripted: offline") }
            return RawAnswer(body: body)
        }
    }

    private func look(_ key: String, _ storage: ResourceOptions.Storage) throws -> Data? {
        guard larder != nil else { return nil }
        return try resource(key, storage, nil).peek()?.value
    }

    private func openStream(isConsumed: Bool) async throws {
        let feed = try opened().common.feedOfBytes("home", json: JSONItems(), paging: .byID) { _ in
            throw FetchFailure(.offline, "scripted: offline")
        }
        let updates = feed.updates(refresh: .never)
        guard !isConsumed else {
            streams.append(Task { for await _ in updates {} })
            return
        }
        // The first thing is taken, and nothing after it.
        var iterator = updates.makeAsyncIterator()
        _ = await iterator.next(isolation: nil)
        held.append(iterator)
    }

    /// What the cache takes of the disk: what is in use of its database, and its other files.
    private func used() throws -> Int {
        let use = DiskUse(of: folder)
        guard let larder else { return use.files }
        // By what lies there, not by what the larder says of itself.
        let database = try larder.read { db in
            try db.first(
                """
                SELECT (page_count - freelist_count) * page_size
                FROM pragma_page_count, pragma_freelist_count, pragma_page_size
                """
            ) { row in try row.int(0) } ?? 0
        }
        return database + use.files(beginning: "blobs/") + use.files(beginning: "files/")
    }
}
