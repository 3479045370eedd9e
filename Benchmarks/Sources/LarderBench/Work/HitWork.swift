import CBaseline
import Foundation
import LarderKit

/// A stored JSON value of 1.5 KB that is fresh: read again while it is recently used, and among more of them than memory keeps.
///
/// What it stands beside is what it cannot do without: the row by its key, by raw C, and `JSONDecoder` on its bytes.
struct HitWork: Work {
    static let name = "hit"
    static let summary = "a fresh JSON value of 1.5 KB read again: recently used, and from the store"

    let bench: Bench
    private static let recent = 50
    /// Reads in one run: a clock costs too much to ask it about each.
    private static let batch = 100

    init(bench: Bench) {
        self.bench = bench
    }

    func run() async throws {
        // Each is read once at most by what goes round all of them, so that none was read lately when its turn comes.
        let values = try await HitStores(bench, count: 10_000)
        defer { values.close() }
        let few = Round(values.count, first: Self.recent)
        let all = Round(values.count, first: values.count)

        if let read = try await compare("hit-read", values, few, ours: { try await values.resource($0).read().value }) {
            bench.report.add(.p50("a fresh value, recently used, read", read))
        }
        if let peek = try await compare("hit-peek", values, few, ours: { try values.resource($0).peek()?.value }) {
            bench.report.add(.p50("  by peek", peek))
        }
        if let read = try await Self.compareFromMainActor(bench.meter, values) {
            bench.report.add(.p50("  by a read from the main actor", read))
        }
        try await together(values, few)
        if let read = try await compare("hit-stored", values, all, ours: { try await values.resource($0).read().value })
        {
            bench.report.add(.p50("a fresh value from the store, read", read, target: 1.2))
        }
        if let peek = try await compare("hit-stored-peek", values, all, ours: { try values.resource($0).peek()?.value })
        {
            bench.report.add(.p50("  by peek", peek))
        }
        if let rows = try await compare("hit-rows", values, all, ours: { try values.decodeRow($0) }) {
            bench.report.add(.p50("  its row by LarderSQLite and JSONDecoder alone", rows))
        }
    }

    private func compare(
        _ figure: String, _ values: HitStores, _ round: Round,
        ours: nonisolated(nonsending) @escaping (Int) async throws -> Post?
    ) async throws -> Comparison? {
        try await Self.compare(bench.meter, figure, values, round, ours: ours)
    }

    /// Where a read is called from decides whether it has to change threads.
    @MainActor
    private static func compareFromMainActor(_ meter: Meter, _ values: HitStores) async throws -> Comparison? {
        let round = Round(values.count, first: recent)
        return try await compare(
            meter, "hit-main", values, round, ours: { try await values.resource($0).read().value })
    }

    nonisolated(nonsending) private static func compare(
        _ meter: Meter, _ figure: String, _ values: HitStores, _ round: Round,
        ours: nonisolated(nonsending) @escaping (Int) async throws -> Post?
    ) async throws -> Comparison? {
        let (mine, theirs) = (round.copy(), round.copy())
        let comparison = try await meter.compare(
            figure, rounds: 9, runs: 10,
            ours: Side { _ in
                for _ in 0..<batch {
                    let number = mine.next()
                    guard try await ours(number)?.id == values.id(number) else { throw BenchError("another value") }
                }
            },
            raw: Side { _ in
                for _ in 0..<batch {
                    let number = theirs.next()
                    guard try values.decodeRaw(number).id == values.id(number) else {
                        throw BenchError("another value")
                    }
                }
            })
        return comparison?.divided(by: Double(batch))
    }

    /// Eight tasks beside one that does as much.
    private func together(_ values: HitStores, _ round: Round) async throws {
        let tasks = 8
        let perTask = 50
        let comparison = try await bench.meter.compare(
            "hit-tasks", rounds: 9, runs: 10,
            ours: Side { _ in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<tasks {
                        group.addTask {
                            for number in 0..<perTask { _ = try await values.resource(number).read() }
                        }
                    }
                    try await group.waitForAll()
                }
            },
            raw: Side { _ in
                for number in 0..<tasks * perTask { _ = try await values.resource(number % perTask).read() }
            })
        if let comparison {
            bench.report.add(
                .p50("  by 8 tasks at once (beside: by one task)", comparison.divided(by: Double(tasks * perTask))))
        }
    }
}

/// The same posts under keys like URLs: in a larder, in rows of LarderSQLite, and by raw C.
private struct HitStores: Sendable {
    let count: Int
    private let larder: Larder
    private let resources: [Resource<Post>]
    private let names: [String]
    private nonisolated(unsafe) let raw: RawStore
    private let rows: RowStore

    init(_ bench: Bench, count: Int) async throws {
        self.count = count
        var larder = try Larder(.folder(bench.path("hit")))
        raw = RawStore(bench.path("hit-raw.sqlite"))
        rows = try RowStore(bench.path("hit-rows.sqlite"))
        let names = (0..<count).map {
            "https://api.example.com/v1/statuses/\(baseline_id(UInt32($0)))?expand=author,media"
        }
        self.names = names
        let items = Items(baseline_post, first: 0, count: count)
        let bodies = (0..<count).map { items.bytes(at: $0) }
        func resources(_ larder: Larder) -> [Resource<Post>] {
            (0..<count).map { number in
                larder.common.resource(names[number], decoding: Post.self, maxAge: .seconds(86_400)) { _ in
                    RawAnswer(headers: ["Content-Type": "application/json"], body: bodies[number])
                }
            }
        }
        baseline_begin(raw.pointer)
        for number in 0..<count { raw.set(names[number], bodies[number]) }
        baseline_commit(raw.pointer)
        for (number, resource) in resources(larder).enumerated() {
            _ = try await resource.read(.networkOnly)
            try rows.set(names[number], bodies[number])
        }
        // What was stored is kept decoded, too: not by a process that begins.
        larder.close()
        larder = try Larder(.folder(bench.path("hit")))
        self.larder = larder
        self.resources = resources(larder)
    }

    func resource(_ number: Int) -> Resource<Post> { resources[number] }

    func id(_ number: Int) -> Int64 { baseline_id(UInt32(number)) }

    func decodeRow(_ number: Int) throws -> Post? {
        try rows.get(names[number]).map { try JSONDecoder().decode(Post.self, from: $0) }
    }

    func decodeRaw(_ number: Int) throws -> Post {
        guard let body = raw.get(names[number]) else { throw BenchError("a key is gone") }
        return try JSONDecoder().decode(Post.self, from: body)
    }

    func close() {
        larder.close()
        rows.close()
        raw.close()
    }
}

/// Goes round the first values of many, in an order that is not that of their keys.
private final class Round {
    private let all: Int
    private let first: Int
    private var turn = 0

    /// - Parameter all: Not a multiple of 7919.
    init(_ all: Int, first: Int) {
        self.all = all
        self.first = first
    }

    func copy() -> Round { Round(all, first: first) }

    func next() -> Int {
        turn += 1
        return (turn * 7919) % first
    }
}
