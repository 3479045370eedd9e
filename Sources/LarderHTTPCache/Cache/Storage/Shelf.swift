import LarderKit

import struct Foundation.Data
import struct Foundation.Date

/// What an HTTP cache has stored, by URI: reads and writes records, keeps those lately used in memory.
struct Shelf: Sendable {
    let storage: AnswerStorage
    let hot: HotAnswers
    let inUse = BodiesInUse()

    init(_ storage: AnswerStorage, kind: CacheKind, memoryLimit: Int) {
        self.storage = storage
        hot = HotAnswers(kind: kind, limit: memoryLimit)
    }

    /// Everything that is stored for a URI, the latest first.
    func records(_ key: String) throws(LarderError) -> [AnswerRecord] {
        try held(key).records
    }

    /// The same with what is kept in memory beside it.
    func held(_ key: String) throws(LarderError) -> HeldAnswers {
        let mark = storage.mark
        if let held = hot.find(key) {
            if held.mark == mark {
                // Signing out empties nothing here.
                try storage.check()
                return held
            }
            if try storage.states(AnswerNames.answers(key)) == held.states {
                try storage.check()
                return hot.keep(held.records, states: held.states, for: key, at: mark, like: held)
            }
        }
        let found = try storage.entries(AnswerNames.answers(key))
        var states: [String: AnswerStorage.State] = [:]
        var records: [AnswerRecord] = []
        for (name, entry) in found {
            states[name] = .init(stamp: entry.metadata.stamp, isInvalidated: entry.metadata.isInvalidated)
            if let record = RecordFormat.decode(entry) { records.append(record) }
        }
        records.sort { $0.stamp > $1.stamp }
        return hot.keep(records, states: states, for: key, at: mark, like: nil)
    }

    /// Stores a record. Its chunks are there already.
    ///
    /// - Returns: Whether it is stored; not where something later is.
    func put(_ record: AnswerRecord, for key: String) async throws(LarderError) -> Bool {
        let answer = record.answer
        let lifetime = HTTPRules.lifetime(of: answer, kind: hot.kind)
        let age = HTTPRules.age(of: answer, now: answer.receivedAt)
        // What is told of a value anywhere; the rules look at the record itself.
        let metadata = EntryMetadata(
            codec: answer.client == nil ? AnswerNames.codec : AnswerNames.ownCodec, stamp: record.stamp,
            storedAt: answer.receivedAt.addingTimeInterval(-age),
            // Below zero would say that it was invalidated.
            lifetime: .milliseconds(Int64(max(0, lifetime) * 1000)),
            validators: Validators(
                etag: answer.headers.values(of: "ETag").first,
                lastModified: answer.headers.values(of: "Last-Modified").first))
        let entry = StoredEntry(body: RecordFormat.encode(record), metadata: metadata)
        return try await storage.put(entry, as: AnswerNames.answer(key, answer))
    }

    /// - Parameter isOwn: Whether it is of an answer for one client alone.
    func putChunk(_ data: Data, id: String, number: Int, stamp: Int64, isOwn: Bool) async throws(LarderError) {
        let codec = isOwn ? AnswerNames.ownBodyCodec : AnswerNames.bodyCodec
        let metadata = EntryMetadata(codec: codec, stamp: stamp, storedAt: storage.clock.now())
        try await storage.put(StoredEntry(body: data, metadata: metadata), as: AnswerNames.chunk(id, number))
    }

    func chunk(_ id: String, _ number: Int) throws(LarderError) -> Data? {
        try storage.entry(AnswerNames.chunk(id, number))?.body
    }

    /// Whether all bytes of a body are there: chunks go one by one when room is needed.
    func isWhole(_ record: AnswerRecord) -> Bool {
        guard case .chunks(let id, let chunkSize) = record.body else { return true }
        let count = (record.answer.size + chunkSize - 1) / chunkSize
        return (0..<count).allSatisfy { number in
            ((try? storage.states(AnswerNames.chunk(id, number))) ?? [:]).isEmpty == false
        }
    }

    /// Removes the bodies of records that have been replaced.
    func removeBodies(of records: [AnswerRecord]) async {
        let names = records.flatMap { unusedChunks(of: $0) }
        guard !names.isEmpty else { return }
        // What cannot be removed now goes when room is needed.
        try? await storage.remove(names)
    }

    /// Where an answer is pinned, the body that took another's place is, and the other one no longer.
    func carryPin(of name: String, from old: [AnswerRecord], to new: AnswerRecord) async {
        let before = old.flatMap { chunkNames(of: $0.body, size: $0.answer.size) }
        let names = chunkNames(of: new.body, size: new.answer.size)
        guard !before.isEmpty || !names.isEmpty, (try? storage.isPinned(name)) == true else { return }
        try? await storage.pin(names, true)
        try? await storage.pin(before, false)
    }

    func chunkNames(of body: StoredBody, size: Int) -> [String] {
        guard case .chunks(let id, let chunkSize) = body else { return [] }
        return (0..<(size + chunkSize - 1) / chunkSize).map { AnswerNames.chunk(id, $0) }
    }

    /// Removes what is stored of one variant.
    ///
    /// - Parameter stamp: What was asked for later stays.
    func remove(_ record: AnswerRecord, for key: String, upTo stamp: Int64 = .max) async throws(LarderError) {
        let names = [AnswerNames.answer(key, record.answer)]
        try await storage.remove(names + unusedChunks(of: record), upTo: stamp)
    }

    /// The chunks of a record that nobody reads. Those that somebody does go with the last who reads them.
    private func unusedChunks(of record: AnswerRecord) -> [String] {
        guard case .chunks(let id, _) = record.body else { return [] }
        let names = chunkNames(of: record.body, size: record.answer.size)
        return inUse.isLeftToReaders(id, names) ? [] : names
    }
}
