package import LarderKit

package import struct Foundation.Data

/// Looks at what an HTTP cache has stored in a partition, pins and removes it, without serving anything.
package struct AnswerInspector: Sendable {
    private let storage: AnswerStorage
    private let partition: Partition

    package init(_ partition: Partition) {
        self.partition = partition
        storage = AnswerStorage(partition)
    }

    /// All that is stored for a URL, the latest first; nothing for what is none.
    package func answers(of url: String) throws(LarderError) -> [InspectedAnswer] {
        guard let key = HTTPRules.key(of: url) else { return [] }
        return try storage.entries(AnswerNames.answers(key))
            .sorted { $0.entry.metadata.stamp > $1.entry.metadata.stamp }
            .compactMap { InspectedAnswer($0.entry, as: StoreKey(partition: partition.name, key: $0.name)) }
    }

    /// Whether all of its body is there: the parts go one by one when room is needed.
    package func isWhole(_ answer: InspectedAnswer) throws(LarderError) -> Bool {
        for name in answer.partNames where try storage.states(name).isEmpty { return false }
        return true
    }

    /// The body piece by piece, from the stored bytes.
    ///
    /// - Parameter take: Called with each piece, in order.
    /// - Returns: Whether all of it was there.
    package func readBody<E: Error>(
        of answer: InspectedAnswer, _ take: (Data) throws(E) -> Void
    ) throws -> Bool {
        guard case .chunks = answer.body else {
            if case .inline(let data) = answer.body { try take(data) }
            return true
        }
        var left = answer.answer.size
        for name in answer.partNames {
            guard let part = try storage.entry(name)?.body, part.count <= left else { return false }
            try take(part)
            left -= part.count
        }
        return left == 0
    }

    /// Exempts answers from trimming with their bodies, or no longer.
    package func pin(_ answers: [InspectedAnswer], _ isPinned: Bool) async throws(LarderError) {
        try await storage.pin(answers.flatMap { [$0.name] + $0.partNames }, isPinned)
    }

    package func isPinned(_ answer: InspectedAnswer) throws(LarderError) -> Bool { try storage.isPinned(answer.name) }

    /// Takes off the pins of a URL's answers, be they stored or gone.
    package func unpin(_ url: String, among pins: [Pin]) async throws(LarderError) -> Bool {
        let names = pins.filter { $0.partition == partition.name && AnswerRow(name: $0.name) == .answer(url: url) }
        guard !names.isEmpty else { return false }
        try await storage.pin(names.map(\.name), false)
        return true
    }

    /// Removes answers with their bodies. None that was asked for before comes back.
    ///
    /// - Returns: How many bytes they had, as they were stored.
    package func remove(_ answers: [InspectedAnswer]) async throws(LarderError) -> Int {
        var bytes = 0
        for answer in answers {
            bytes += try await partition.remove(.key(answer.name)).bytes
            bytes += answer.partNames.isEmpty ? 0 : answer.answer.size
        }
        let parts = answers.flatMap(\.partNames)
        guard !parts.isEmpty else { return bytes }
        try await storage.remove(parts)
        // Their names do not come again.
        try await storage.pin(parts, false)
        return bytes
    }
}
