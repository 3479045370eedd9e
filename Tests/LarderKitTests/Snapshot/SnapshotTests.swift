import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// What a snapshot takes along, and what comes of it.
@Suite struct SnapshotTests {
    let world: SnapshotWorld

    init() throws { world = try SnapshotWorld() }

    @Test func whatIsReadableHereIsReadableThere() async throws {
        try await world.fill(world.source)
        let exported = try await world.source.exportSnapshot(to: world.file)
        await world.world.advance(by: .seconds(3600))

        let imported = try await world.target.importSnapshot(from: world.file)

        #expect(exported.values == 5 && exported.feeds == 2 && exported.items == 60 && exported.leftOut.isEmpty)
        #expect(imported == exported)
        let contents = try await CacheContents(world.source)
        #expect(contents.values.count == 5 && contents.lists.count == 2)
        #expect(contents.lists.allSatisfy { !$0.segments.isEmpty })
        #expect(contents.lists.contains { !$0.edges.isEmpty }, "a page's number to go on with")
        #expect(try await CacheContents(world.target) == contents)
    }

    @Test func aTimelineComesWithItsGapsItsEndsAndItsAge() async throws {
        let rules = SimulatedFeedServer.Rules { $0.endOfList = .said }
        let server = try SimulatedFeedServer(.decimal, holding: 1...50, rules: rules)
        let here = world.source.common.feed("home", paging: .byID, fetch: server.fetchPage)
        _ = try await here.page(limit: 10)
        await world.world.advance(by: .seconds(30))
        _ = try await here.page(.older(than: "21"), limit: 30)
        try await world.source.exportSnapshot(to: world.file)
        await world.world.advance(by: .seconds(90))

        try await world.target.importSnapshot(from: world.file)

        let there = world.target.common.feed("home", paging: .byID, fetch: server.fetchPage)
        let (mine, theirs) = (try #require(try here.timeline()), try #require(try there.timeline()))
        #expect(theirs.value.map { "\($0)" } == mine.value.map { "\($0)" })
        #expect(theirs.value.isAtEnd == mine.value.isAtEnd && theirs.value.isAtEnd)
        #expect(try there.gaps() == [Gap(above: "41", below: "20")])
        #expect(theirs.age == .seconds(120) && theirs.age == mine.age)
    }

    @Test func aSnapshotOfWhatWasTakenInIsTheSame() async throws {
        try await world.fill(world.source)
        let partitions = SnapshotPartitions.named("", "anna")
        try await world.source.exportSnapshot(to: world.file, partitions: partitions)
        try await world.target.importSnapshot(from: world.file)
        let second = world.folder.url("second.larder")

        try await world.target.exportSnapshot(to: second, partitions: partitions)

        let third = try world.fresh()
        try await third.importSnapshot(from: second)
        let contents = try await CacheContents(world.source, partitions: ["", "anna"])
        #expect(try await CacheContents(third, partitions: ["", "anna"]) == contents)
    }

    @Test func takingItInTwiceChangesNothing() async throws {
        try await world.fill(world.source)
        try await world.source.exportSnapshot(to: world.file, partitions: .named("", "anna"))
        try await world.target.importSnapshot(from: world.file)
        let contents = try await CacheContents(world.target, partitions: ["", "anna"])
        await world.world.advance(by: .seconds(5))

        let again = try await world.target.importSnapshot(from: world.file)

        #expect(again.values == 0 && again.feeds == 0 && again.items == 0)
        #expect(again.leftOut == [.isThereAlready: 14])
        #expect(try await CacheContents(world.target, partitions: ["", "anna"]) == contents)
        let replaced = try await world.target.importSnapshot(from: world.file, policy: .replace)
        #expect(replaced.feeds == 4)
        #expect(try await CacheContents(world.target, partitions: ["", "anna"]) == contents)
    }

    @Test func anAccountIsTakenAlongOnlyWhereItIsNamed() async throws {
        try await world.fill(world.source)

        try await world.source.exportSnapshot(to: world.file)
        try await world.target.importSnapshot(from: world.file)

        #expect(try await CacheContents(world.target, partitions: ["anna"]) == CacheContents(world.fresh()))
        #expect(try !Data(contentsOf: world.file).contains("anna"))
        try await world.source.exportSnapshot(to: world.file, partitions: .named("anna"))
        let third = try world.fresh()
        try await third.importSnapshot(from: world.file, into: "")
        #expect(try await CacheContents(third).values.count == 5)
        #expect(try await CacheContents(third, partitions: ["anna"]).values.isEmpty)
    }

    @Test func noCursorLinkOrTokenIsInIt() async throws {
        let json = try JSONItems(at: "$.posts", next: "$.paging.next", keepsEnvelope: true)
        let body = #"{"posts":[{"id":"1"}],"users":[{"n":"ann"}],"paging":{"next":"tok\u0065n-4711-secret"}}"#
        let feed = world.source.common.feedOfBytes("posts", json: json, paging: .cursor()) { _ in
            RawAnswer(headers: ["Set-Cookie": "sid=cookie-0815"], body: Data(body.utf8))
        }
        _ = try await feed.page(limit: 1)
        let link = world.source.common.feedOfBytes("linked", json: JSONItems(), paging: .link()) { _ in
            RawAnswer(
                headers: ["Link": "<https://api.example.test/p?access_token=hunter2>; rel=\"next\""],
                body: Data(#"[{"id":"7"}]"#.utf8), url: URL(string: "https://api.example.test/p"))
        }
        _ = try await link.page(limit: 1)
        try await world.put("https://ann:pass4@api.example.test/me", size: 3, in: world.source.common)
        try await world.put("https://api.example.test/me?access%5Ftoken=pass5", size: 3, in: world.source.common)
        try await world.put("https://api.example.test/p?page=2#top", size: 3, in: world.source.common)

        let report = try await world.source.exportSnapshot(to: world.file)

        let bytes = try Data(contentsOf: world.file)
        for secret in ["4711", "0815", "hunter2", "pass4", "pass5"] {
            #expect(!bytes.contains(secret), "\(secret) is in the file")
        }
        #expect(report.leftOut == [.holdsCredentials: 2])
        #expect(report.values == 1 && report.feeds == 2)
        try await world.target.importSnapshot(from: world.file)
        let there = world.target.common.feedOfBytes("posts", json: json, paging: .cursor()) { _ in
            throw FetchFailure(.offline, "scripted")
        }
        let envelopes = try #require(try there.peek()).value.envelopes.map { String(decoding: $0, as: UTF8.self) }
        #expect(envelopes == [#"{"posts":[],"users":[{"n":"ann"}],"paging":{"next":null}}"#])
    }

    @Test func aFileThatComesWithTheAppIsReadWhereNothingCanBeWritten() async throws {
        try await world.fill(world.source)
        let bundle = world.folder.url("Bundle.app")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        let url = bundle.appendingPathComponent("first start%20?#.larder")
        try await world.source.exportSnapshot(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: url.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: bundle.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: bundle.path) }

        let report = try await world.target.importSnapshot(from: url)

        #expect(report.values == 5 && report.items == 60)
        #expect(try FileManager.default.contentsOfDirectory(atPath: bundle.path) == [url.lastPathComponent])
    }

    @Test func itIsOneFileInRollbackModeThatOnlyItsOwnerCanRead() async throws {
        try await world.fill(world.source)

        try await world.source.exportSnapshot(to: world.file)

        let bytes = try Data(contentsOf: world.file)
        #expect(bytes[18] == 1 && bytes[19] == 1, "no write-ahead log is to be looked for")
        #expect(bytes[68..<72] == Data("LRDS".utf8))
        #expect(try permissions(world.file) == 0o600)
        let names = try FileManager.default.contentsOfDirectory(atPath: world.folder.url.path)
        #expect(names.sorted() == ["first-start.larder", "source", "target"])
    }

    @Test func progressGoesFromNothingToAll() async throws {
        try await world.fill(world.source)
        let (stream, told) = AsyncStream.makeStream(of: Double.self)

        try await world.source.exportSnapshot(to: world.file) { told.yield($0) }
        try await world.target.importSnapshot(from: world.file) { told.yield($0) }
        told.finish()

        let fractions = await stream.reduce(into: [Double]()) { $0.append($1) }
        let halves = fractions.split(separator: 1, omittingEmptySubsequences: false)
        #expect(halves.count == 3 && halves[2].isEmpty && halves[0].count > 10 && halves[1].count > 10)
        #expect(halves.allSatisfy { $0 == $0.sorted()[...] })
    }
}

extension Data {
    func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
