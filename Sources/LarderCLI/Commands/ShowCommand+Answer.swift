import Foundation
import LarderHTTPCache
import LarderKit

/// Showing what an HTTP cache keeps of a URL.
extension ShowCommand {
    /// Shows the HTTP answer that the key means.
    ///
    /// - Returns: The exit code; `nil` where the key means no such answer, and is to be looked for elsewhere.
    func showAnswer() async throws -> ExitCode? {
        guard item == nil, storage == nil || storage == .http else { return nil }
        do throws(Trouble) {
            let larder = try cache.openExisting()
            defer { larder.close() }
            let lookup = AnswerLookup(larder: larder, folder: cache.url, partition: partition)
            if storage == nil, try isStored(in: larder) {
                noteOther(lookup)
                return nil
            }
            let answers = try await lookup.answers(key)
            guard let found = AnswerLookup.plainest(answers) else {
                guard storage == .http else { return nil }
                throw StoredKeys([]).trouble(with: key, in: partition, of: cache.url)
            }
            let output = AnswerOutput(
                listed: try lookup.listed(found), others: answers.count - 1, inspector: lookup.inspector,
                folder: cache.url)
            return try output.write(isMeta: isMeta, isJSON: isJSON)
        } catch {
            return try await Outcome.print("show", isJSON: isJSON) { () throws(Trouble) -> Data in throw error }
        }
    }

    private func isStored(in larder: Larder) throws(Trouble) -> Bool {
        do throws(StorageError) {
            return try larder.isStored(StoreKey(partition: partition, key: key))
        } catch {
            throw Trouble(error, folder: cache.url)
        }
    }

    private func noteOther(_ lookup: AnswerLookup) {
        guard (try? lookup.inspector.answers(of: key).isEmpty) == false else { return }
        try? StandardStream.error.line(
            "larder show: note: an HTTP answer of this URL is stored as well: --in http shows it")
    }
}
