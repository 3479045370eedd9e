import Foundation
import LarderKit

/// Feeds of an app that are on its screens, each followed as a view follows it. They are of one host.
final class FollowedFeeds {
    static let prefix = "feed "
    private let tasks: [Task<Void, Never>]

    init(_ count: Int, in larder: Larder, origin: StepsOrigin) {
        tasks = (0..<count).map { number in
            let name = "\(Self.prefix)\(number + 1)"
            let feed: Feed<ScriptItem> = larder.partition("reader").feed(
                name, json: JSONItems(), paging: .byID, options: FeedOptions(origin: "api.example.test")
            ) { _ in
                let text = try await origin.answer(to: name, after: .milliseconds(100))
                return RawAnswer(
                    headers: ["Content-Type": "application/json"],
                    body: Data("[{\"id\": \"1\", \"text\": \(JSONString.quoting(text))}]".utf8))
            }
            return Task { for await _ in feed.updates() {} }
        }
    }

    func end() {
        for task in tasks { task.cancel() }
    }
}
