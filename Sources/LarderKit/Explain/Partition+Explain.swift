import Foundation
import LarderSQLite

extension Partition {
    /// What reads of `key` would do now, for whatever is stored under it: a value in the database, one in files or in
    /// memory, a feed. For a program that has no fetch closures; whether a value decodes is not looked at.
    ///
    /// - Parameters:
    ///   - key: What the value is stored under, or the feed's name.
    ///   - maxAge: For how long something is fresh, where that is not the server's to say.
    ///   - policy: The policy of those reads.
    /// - Throws: When there is no telling: the larder is closed, or the partition was signed out of.
    /// - Returns: Nothing when nothing is stored.
    public func explain(
        _ key: String, maxAge: Duration? = nil, policy: ReadPolicy = .cacheFirst
    ) throws(LarderError) -> [Explanation] {
        var explanations: [Explanation] = []
        for storage in [ResourceOptions.Storage.database, .files, .memory] {
            let options = ResourceOptions(storage: storage)
            let explanation = try bytes(key, maxAge: maxAge, options: options) { _ in throw Self.nothingToAsk }
                .explain(policy) { _ in }
            if explanation.stored != nil || explanation.trouble != nil { explanations.append(explanation) }
        }
        let paging: Paging?
        do {
            try state.check()
            paging = try core.database.withReader { db in
                try FeedRow.load(partition: name, name: key, in: db).map { try Paging(fingerprint: $0.paging) }
            }
        } catch {
            throw LarderError(wrapping: error)
        }
        if let paging {
            let feed = feedOfBytes(key, json: JSONItems(), paging: paging, maxAge: maxAge) { _ in
                throw Self.nothingToAsk
            }
            explanations.append(try feed.explain(.newest, limit: 20, policy: policy, isDecoding: false))
        }
        return explanations
    }

    private static var nothingToAsk: FetchFailure {
        FetchFailure(.other, "what is only explained has nothing to ask")
    }
}
