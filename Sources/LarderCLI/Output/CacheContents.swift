import Foundation
import LarderHTTPCache
import LarderKit

/// What a cache holds, for programs. ``lines(terminal:)`` is for people.
struct CacheContents: Sendable {
    let folder: URL
    /// The bytes of all files.
    let size: Int
    let contents: LarderContents
    let answers: ListedAnswers
    /// What ages count from.
    let now: Date

    init(folder: URL, size: Int, _ contents: LarderContents, answers: ListedAnswers = ListedAnswers(), now: Date) {
        self.folder = folder
        self.size = size
        self.contents = contents
        self.answers = answers
        self.now = now
    }

    /// The damage that was met, if any was.
    var trouble: Trouble? { .damage(contents.damaged, in: folder) }

    /// The values, with each HTTP answer once.
    var values: [EntrySummary] { contents.values.filter { !answers.parts.contains($0.key) } }

    var json: JSONText {
        .object([
            ("folder", .string(folder.path)),
            ("size", .number(size)),
            ("resources", .array(values.map(json))),
            ("feeds", .array(contents.feeds.map { json($0) })),
            ("leftOverParts", .number(answers.leftOver.count)),
            ("leftOverPartsSize", .number(answers.leftOver.bytes)),
            ("damaged", .number(contents.damaged)),
        ])
    }

    func age(_ date: Date) -> Duration {
        .milliseconds(max(0, Int64((now.timeIntervalSince(date) * 1000).rounded())))
    }

    private func json(_ document: EntrySummary) -> JSONText {
        let metadata = document.metadata
        if let answer = answers.answers[document.key] {
            return .object(
                [
                    ("kind", .string("httpAnswer")), ("partition", .string(document.key.partition)),
                    ("key", .string(Endpoint.shown(answer.found.url))),
                ] + answer.members)
        }
        return .object([
            ("kind", .string("resource")),
            ("partition", .string(document.key.partition)),
            ("key", .string(Endpoint.shown(document.key.key))),
            ("size", .number(document.size)),
            ("storedAt", .timestamp(metadata.storedAt)),
            ("age", .seconds(age(metadata.storedAt))),
            ("codec", .string(metadata.codec.description)),
            ("etag", metadata.validators.etag.json(JSONText.string)),
            ("lastModified", metadata.validators.lastModified.json(JSONText.string)),
            ("place", document.place.json { .string($0.rawValue) }),
            ("pinned", .bool(document.isPinned)),
            ("usedAt", document.usedAt.json(JSONText.timestamp)),
        ])
    }

    /// - Parameter kind: What it is called where things of other kinds may stand in its place.
    func json(_ feed: FeedSummary, kind: String? = nil) -> JSONText {
        let kind = kind.map { [(name: "kind", value: JSONText.string($0))] } ?? []
        return .object(
            kind + [
                ("partition", .string(feed.partition)),
                ("name", .string(Endpoint.shown(feed.name))),
                ("order", .string(FeedOrder(feed.order).rawValue)),
                ("paging", .string(FeedPaging(feed.paging).kind.rawValue)),
                ("items", .number(feed.items)),
                ("size", .number(feed.size)),
                ("pinned", .bool(feed.isPinned)),
                ("usedAt", feed.usedAt.json(JSONText.timestamp)),
                ("headProvenAt", feed.headProvenAt.json(JSONText.timestamp)),
                ("floorProven", .bool(feed.isFloorProven)),
                ("runs", .array(feed.runs.map(json))),
                (
                    "gaps",
                    .array(
                        feed.gaps.map {
                            .object([("above", .string($0.above.rawValue)), ("below", .string($0.below.rawValue))])
                        })
                ),
            ])
    }

    private func json(_ run: FeedSummary.Run) -> JSONText {
        .object([
            ("newest", .string(run.newest.rawValue)),
            ("oldest", .string(run.oldest.rawValue)),
            ("count", .number(run.count)),
            ("oldestPart", .timestamp(run.oldestPart)),
            ("newestPart", .timestamp(run.newestPart)),
            ("age", .seconds(age(run.oldestPart))),
        ])
    }
}
