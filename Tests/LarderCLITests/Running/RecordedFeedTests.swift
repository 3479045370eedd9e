import Foundation
import LarderKit
import LarderServer
import Testing

/// The feed command against recordings of a real server.
@Suite(
    .enabled(
        if: RecordedExchanges.folder != nil,
        "the recordings are not in the repository; LARDER_RECORDINGS names their folder"),
    .serialized, .timeLimit(.minutes(5)))
struct RecordedFeedTests {
    /// One page of a walk: what is asked for, and which recorded exchange answers.
    struct Step: Sendable {
        let arguments: [String]
        let exchange: Int
    }

    struct Walk: Sendable, CustomTestStringConvertible {
        let recording: String
        /// Behind the server's own URL: the exchange's target without what the tool adds.
        let target: String
        let options: [String]
        let steps: [Step]
        let items: JSONPath

        init(_ recording: String, _ target: String, _ options: [String], _ steps: [Step], items: JSONPath = .root) {
            self.recording = recording
            self.target = target
            self.options = options
            self.steps = steps
            self.items = items
        }

        var testDescription: String { ([recording] + options).joined(separator: " ") }
    }

    private static let tag = "/api/v1/timelines/tag/muilcatolopkyyoiogndsvmihnnutyanslsrelgfhlmwsonrfu"
    private static let statuses = "/api/v1/accounts/117020565966271181/statuses"

    private static let untilEnd = [
        Step(arguments: [], exchange: 0), Step(arguments: ["older", "117020581339834938"], exchange: 1),
        Step(arguments: ["older", "117020581259486622"], exchange: 2),
        Step(arguments: ["older", "117020581178804515"], exchange: 3),
    ]
    private static let nextAndPrevious = [
        Step(arguments: [], exchange: 0), Step(arguments: ["older", "117020580489281910"], exchange: 1),
        Step(arguments: ["newer", "117020580481736214"], exchange: 2),
    ]
    private static let grouped = [
        Step(arguments: [], exchange: 0), Step(arguments: ["older", "38"], exchange: 1),
        Step(arguments: ["newer", "37"], exchange: 2),
    ]

    private static let first = [Step(arguments: [], exchange: 0)]
    private static let windows = "/api/v1/timelines/home?"

    static let walks: [Walk] =
        ["server", "decimal", "text", "ranked"].flatMap { order in
            let order = ["--order", order]
            return [
                Walk("mastodon-home", "/api/v1/timelines/home", order + ["--limit-param="], first),
                Walk("mastodon-public", "/api/v1/timelines/public", order + ["--limit-param="], first),
                Walk("mastodon-hashtag-until-end", tag, order + ["--limit", "10"], untilEnd),
                Walk("mastodon-hashtag-until-end", tag + "?limit=10", order, untilEnd),
                Walk(
                    "mastodon-next-previous", statuses, order + ["--limit", "5", "--min-param", "min_id"],
                    // What is ranked is put into a new run by each answer, also when it shows the same items.
                    order.contains("ranked") ? Array(nextAndPrevious.prefix(2)) : nextAndPrevious),
                // The bounds of these are no items: they are a part of the list's URL, not of the paging.
                Walk(
                    "mastodon-min-max", windows + "max_id=117020594094055884&min_id=117020594094053884",
                    order + ["--limit-param=", "--max-param="], first),
                Walk(
                    "mastodon-min-max", windows + "min_id=117020594094052884&max_id=117020594094053884",
                    order + ["--limit-param=", "--max-param="], [Step(arguments: [], exchange: 1)]),
                Walk(
                    "mastodon-min-max", windows + "since_id=117020594094053884",
                    order + ["--limit-param=", "--since-param="], [Step(arguments: [], exchange: 3)]),
                Walk(
                    "mastodon-bookmarks", "/api/v1/bookmarks", order + ["--limit", "1"],
                    [Step(arguments: [], exchange: 1)]),
            ]
        }
        + ["decimal", "text"].map { order in
            Walk(
                "mastodon-min-max", windows + "max_id=117020594094055884",
                ["--order", order, "--limit-param=", "--max-param=", "--min-param", "min_id"],
                [Step(arguments: ["newer", "117020594094053884"], exchange: 0)])
        } + [
            Walk(
                "mastodon-grouped-notifications", "/api/v2/notifications?expand_accounts=full",
                ["--limit", "5", "--min-param", "min_id", "--items", "notification_groups", "--id", "page_max_id"],
                grouped, items: JSONPath(steps: [.key(Array("notification_groups".utf8))]))
        ]

    @Test(arguments: walks)
    func orderIDsAndEveryByteAreKeptOnlineAndOffline(walk: Walk) async throws {
        let scratch = try Scratch()
        let recording = try RecordedExchanges(walk.recording, in: try #require(RecordedExchanges.folder))
        let server = try recording.serve()
        let url = server.url + walk.target
        let command = ["feed", "--json", "--cache", scratch.path("cache")] + walk.options
        for step in walk.steps {
            let body = recording.exchanges[step.exchange].answer.body
            let served = try JSONSplitter.items(in: body, at: walk.items, id: .root).map { body[$0.range] }
            let run = try await Tool.start(command + [url] + step.arguments).end()
            #expect(run.code == 0, "\(run.error)")
            #expect(try run.object()["source"] as? String == "network")
            #expect(try items(run) == served)
        }
        server.stop()
        for step in walk.steps where !walk.endsThere(step) {
            let body = recording.exchanges[step.exchange].answer.body
            let served = try JSONSplitter.items(in: body, at: walk.items, id: .root).map { body[$0.range] }
            let run = try await Tool.start(command + ["--offline", url] + step.arguments).end()
            #expect(run.code == 0, "\(step.arguments) \(run.error)")
            #expect(try items(run) == served)
        }
    }

    private func items(_ run: Tool.Outcome) throws -> [Data] {
        try JSONSplitter.items(in: run.output, at: JSONPath("$.items"), id: .root).map { run.output[$0.range] }
    }

    @Test(
        arguments: [
            ("mastodon-errors", "/api/v1/timelines/home", "401"),
            ("mastodon-error-html-404", "/api/v1/instance/domain_blocks", "404"),
        ])
    func recordedErrorsAreTold(recording: String, target: String, status: String) async throws {
        let scratch = try Scratch()
        let server = try RecordedExchanges(recording, in: try #require(RecordedExchanges.folder)).serve()
        let run = try await Tool.run("feed", "--limit-param=", "--cache", scratch.path("cache"), server.url + target)
        #expect(run.code == 1)
        #expect(run.error.contains(status))
    }
}

extension RecordedFeedTests.Walk {
    /// The empty page behind the last: a list whose ids do not compare does not believe its end from it.
    fileprivate func endsThere(_ step: RecordedFeedTests.Step) -> Bool {
        recording == "mastodon-hashtag-until-end" && step.exchange == 3
    }
}
