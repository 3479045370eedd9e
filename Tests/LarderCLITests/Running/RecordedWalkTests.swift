import Foundation
import LarderKit
import LarderServer
import Testing

/// Recordings of real servers, walked to their end by the links in their answers.
@Suite(
    .enabled(
        if: RecordedExchanges.folder != nil,
        "the recordings are not in the repository; LARDER_RECORDINGS names their folder"),
    .serialized, .timeLimit(.minutes(5)))
struct RecordedWalkTests {
    struct Walk: Sendable, CustomTestStringConvertible {
        let recording: String
        let target: String
        var options: [String] = []
        /// What names the list, also offline.
        var naming: [String] = []
        /// The recorded exchanges that the walk meets, in its order.
        let exchanges: [Int]
        var requests: Int?
        /// The page behind the last recorded one.
        var beyond: String?
        var items = JSONPath.root

        var testDescription: String { recording + " " + target.suffix(20) }
    }

    private static let mastodon = "/api/v1/"
    private static let tag = "timelines/tag/muilcatolopkyyoiogndsvmihnnutyanslsrelgfhlmwsonrfu"

    static let walks = [
        Walk(
            recording: "mastodon-hashtag-until-end", target: mastodon + tag, options: ["--limit", "10"],
            exchanges: [0, 1, 2], requests: 4),
        Walk(
            recording: "mastodon-next-previous", target: mastodon + "accounts/117020565966271181/statuses",
            options: ["--limit", "5"], exchanges: [0, 1], requests: 3, beyond: "[]"),
        Walk(
            recording: "mastodon-bookmarks", target: mastodon + "bookmarks", options: ["--limit-param="],
            exchanges: [0],
            requests: 1),
        Walk(
            recording: "mastodon-bookmarks", target: mastodon + "bookmarks", options: ["--limit", "1"], exchanges: [1],
            requests: 2, beyond: "[]"),
        Walk(
            recording: "mastodon-home", target: mastodon + "timelines/home", options: ["--limit-param="],
            exchanges: [0],
            requests: 2, beyond: "[]"),
        Walk(
            recording: "mastodon-public", target: mastodon + "timelines/public", options: ["--limit-param="],
            exchanges: [0], requests: 2, beyond: "[]"),
        Walk(
            recording: "mastodon-grouped-notifications", target: "/api/v2/notifications?expand_accounts=full",
            options: ["--limit", "5"],
            naming: ["--items", "notification_groups", "--id", "page_max_id", "--envelope"], exchanges: [0, 1],
            requests: 3, beyond: #"{"accounts":[],"statuses":[],"notification_groups":[]}"#,
            items: JSONPath(steps: [.key(Array("notification_groups".utf8))])),
        Walk(
            recording: "github-pages-by-link", target: "/repos/DoYurmlh/DoYurmlh/issues/1136/comments",
            options: ["--limit", "3", "--limit-param", "per_page"], exchanges: [0, 1, 2], requests: 3),
        Walk(
            recording: "github-last-to-first",
            target: "/repositories/3544490/commits/06dad3dfd74d276c9971e7eb8bcf1f4bac78bdf2?per_page=3&page=2",
            options: ["--limit-param="], naming: ["--items", "files", "--id", "filename"], exchanges: [1, 0],
            requests: 2,
            items: JSONPath(steps: [.key(Array("files".utf8))])),
    ]

    @Test(arguments: walks)
    func everyByteIsBroughtInAndKept(walk: Walk) async throws {
        let scratch = try Scratch()
        let recording = try RecordedExchanges(
            walk.recording, in: try #require(RecordedExchanges.folder), beyond: walk.beyond)
        let server = try recording.serve()
        let list = ["feed", "--json", "--cache", scratch.path("cache")] + walk.naming + [server.url + walk.target]
        let run = try await Tool.start(list + walk.options + ["--paging", "link", "all"]).end()
        #expect(run.code == 0, "\(run.error)")
        let object = try run.object()
        #expect(object["ended"] as? String == "done")
        #expect(object["atEnd"] as? Bool == true)
        #expect(object["gaps"] as? Int == 0)
        if let requests = walk.requests { #expect(object["requests"] as? Int == requests) }
        server.stop()

        let bodies = walk.exchanges.map { recording.exchanges[$0].answer.body }
        let served = try bodies.flatMap { body in
            try JSONSplitter.items(in: body, at: walk.items, id: .root).map { body[$0.range] }
        }
        #expect(object["items"] as? Int == served.count)
        let shown = try await Tool.start(list + ["show"]).end()
        #expect(try items(shown) == served)

        let page = try await Tool.start(list + ["--offline", "--limit", "100"] + sizeParameter(walk)).end()
        #expect(page.code == 0, "\(page.error)")
        #expect(
            try JSONSplitter.items(in: page.output, at: JSONPath("$.items"), id: .root).map { page.output[$0.range] }
                == served)
        #expect(try page.object()["atEnd"] as? Bool == true)
        if walk.naming.contains("--envelope") {
            #expect(try envelopes(page).starts(with: try bodies.map { try around(walk.items, in: $0) }))
        }
    }

    /// The name that the URL's own size has, which is a part of the list's.
    private func sizeParameter(_ walk: Walk) -> [String] {
        walk.options.contains("--limit-param=") ? ["--limit-param="] : []
    }

    private func items(_ run: Tool.Outcome) throws -> [Data] {
        try JSONSplitter.items(in: run.output, at: JSONPath("$.rows"), id: .root).map { row in
            let bytes = Data(run.output[row.range])
            let range = try #require(try JSONSplitter.range(of: JSONPath("$.item"), in: bytes))
            return bytes[range]
        }
    }

    private func envelopes(_ run: Tool.Outcome) throws -> [Data] {
        try JSONSplitter.items(in: run.output, at: JSONPath("$.envelopes"), id: .root).map { run.output[$0.range] }
    }

    /// An answer with an empty array in the place of its items.
    private func around(_ items: JSONPath, in body: Data) throws -> Data {
        let range = try #require(try JSONSplitter.range(of: items, in: body))
        return body[..<range.lowerBound] + Data("[]".utf8) + body[range.upperBound...]
    }
}
