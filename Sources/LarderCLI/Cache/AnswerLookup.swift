import Foundation
import LarderHTTPCache
import LarderKit

/// Finds the answers that an HTTP cache has stored for a URL, as the command line names it.
struct AnswerLookup: Sendable {
    let larder: Larder
    let folder: URL
    /// Empty for what belongs to nobody.
    let partition: String

    var inspector: AnswerInspector {
        AnswerInspector(partition.isEmpty ? larder.common : larder.partition(partition))
    }

    /// All answers for the URL that is meant: the one that was typed, or the only one that is shown so, since secrets are left out of
    /// what is shown. The latest first; none where it is no URL, or nothing is stored for it.
    func answers(_ text: String) async throws(Trouble) -> [InspectedAnswer] {
        guard HTTPRules.key(of: text) != nil else { return [] }
        let exact = try answers(of: text)
        guard exact.isEmpty, text.contains("=…") else { return exact }
        let shown = HTTPRules.key(of: text).map { Endpoint.shown($0) }
        let meant = try await urls().filter { Endpoint.shown($0) == shown || Endpoint.shown($0) == text }
        guard meant.count <= 1 else {
            throw Trouble(
                "ambiguous",
                "\(meant.count) HTTP answers are shown as \(Printable.line(text)), since secrets are left out: give the whole URL.",
                exitCode: .failure)
        }
        return try meant.first.map { url throws(Trouble) in try answers(of: url) } ?? []
    }

    /// All answers whose URL begins so.
    func answers(prefix: String) async throws(Trouble) -> [InspectedAnswer] {
        var found: [InspectedAnswer] = []
        for url in try await urls() where url.hasPrefix(prefix) { found += try answers(of: url) }
        return found
    }

    private func answers(of url: String) throws(Trouble) -> [InspectedAnswer] {
        do throws(LarderError) { return try inspector.answers(of: url) } catch { throw trouble(error) }
    }

    /// Each URL of this partition once, in order.
    private func urls() async throws(Trouble) -> [String] {
        do throws(StorageError) {
            return try await larder.storedKeys().answerURLs(of: partition)
        } catch {
            throw Trouble(error, folder: folder)
        }
    }

    /// The one that a plain GET is for, if there is one.
    static func plainest(_ answers: [InspectedAnswer]) -> InspectedAnswer? {
        answers.first { !$0.answer.isOfSpecialRequest && $0.answer.part == nil }
            ?? answers.first { $0.answer.part == nil } ?? answers.first
    }

    /// What is told of an answer.
    func listed(_ found: InspectedAnswer) throws(Trouble) -> ListedAnswer {
        let isWhole: Bool
        do throws(LarderError) { isWhole = try inspector.isWhole(found) } catch { throw trouble(error) }
        do throws(StorageError) {
            let summary = try larder.rowValue(of: StoreKey(partition: found.partition, key: found.name))?.summary
            return ListedAnswer(
                found: found, storedAt: summary?.metadata.storedAt ?? found.answer.receivedAt,
                usedAt: summary?.usedAt, isPinned: summary?.isPinned ?? false,
                size: (summary?.size ?? 0) + (found.partNames.isEmpty ? 0 : found.answer.size), isWhole: isWhole,
                now: Date())
        } catch {
            throw Trouble(error, folder: folder)
        }
    }

    func trouble(_ error: LarderError) -> Trouble {
        Trouble(error, Subject(origin: "", folder: folder, isOffline: true, thing: "this URL"))
    }
}
