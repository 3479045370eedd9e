import Foundation
import LarderTestKit
import Synchronization
import Testing

@testable import LarderKit

/// Fetch closures that read what waits for them, never return, throw what they like, or come too late.
@Suite(.timeLimit(.minutes(5)))
struct OddClosureTests {
    private typealias Item = SimulatedFeedServer.Item

    private let world = TestWorld()
    private let larder: Larder

    init() { larder = .inMemory(environment: world.environment) }

    /// Resources that read each other by name.
    private final class Web: Sendable {
        private let resources = Mutex<[String: Resource<Int>]>([:])

        subscript(name: String) -> Resource<Int> {
            get throws { try #require(resources.withLock { $0[name] }) }
        }

        func add(_ name: String, to partition: Partition, policy: ReadPolicy = .networkOnly, reading other: String) {
            let resource = partition.resource(name, policy: policy) { [weak self] in
                guard let self else { return 0 }
                return try await self[other].read().value + 1
            }
            resources.withLock { $0[name] = resource }
        }
    }

    // MARK: Circles

    @Test(arguments: [["a"], ["a", "b"], ["a", "b", "c"]], [ReadPolicy.networkOnly, .cacheFirst, .networkFirst])
    func `who reads what waits for him is told, and what else is stored is shown`(
        names: [String], policy: ReadPolicy
    ) async throws {
        let web = Web()
        for (index, name) in names.enumerated() {
            web.add(name, to: larder.common, policy: policy, reading: names[(index + 1) % names.count])
        }
        await expect(.fetch(.circular)) { try await web["a"].read() }
        #expect(larder.waitingReaders == 0)
        // With something stored the circle ends there.
        try await web["a"].store(5)
        if policy == .networkOnly {
            await expect(.fetch(.circular)) { try await web["a"].read() }
        } else {
            let reading = try await web["a"].read()
            #expect(reading.value == 5 + names.count)
        }
        await larder.settle()
    }

    @Test func `two that begin apart and then read each other end both`() async throws {
        let gates = [Gate(), Gate()]
        let web = Mutex<[Resource<Int>]>([])
        let resources = (0..<2).map { number in
            larder.common.resource("\(number)", policy: .networkOnly) {
                try await gates[number].wait()
                return try await web.withLock { $0[1 - number] }.read().value
            }
        }
        web.withLock { $0 = resources }
        let readers = resources.map { resource in Task { try await resource.read() } }
        for gate in gates { await gate.reached() }
        for gate in gates { gate.open() }
        for reader in readers { await expect(.fetch(.circular)) { try await reader.value } }
    }

    @Test func `a feed whose closure reads the feed is told, whatever page it asks for`() async throws {
        let box = Mutex<Feed<Item>?>(nil)
        for position in [FeedPosition.newest, .older(than: "5"), .newer(than: "5")] {
            let feed: Feed<Item> = larder.common.feed("f", paging: .byID()) { _ in
                let feed = try #require(box.withLock { $0 })
                return Page(try await feed.page(position).value.items)
            }
            box.withLock { $0 = feed }
            await expect(.fetch(.circular)) { try await feed.page() }
            await expect(.fetch(.circular)) { try await feed.refresh() }
        }
        #expect(larder.waitingReaders == 0)
    }

    @Test func `a feed whose closure reads a resource that reads the feed is told`() async throws {
        let box = Mutex<Feed<Item>?>(nil)
        let resource = larder.common.resource("r") {
            let feed = try #require(box.withLock { $0 })
            return try await feed.page(.older(than: "5")).value.items.count
        }
        let feed: Feed<Item> = larder.common.feed("f", paging: .byID()) { _ in
            Page([Item(ItemID(try await resource.read().value))])
        }
        box.withLock { $0 = feed }
        await expect(.fetch(.circular)) { try await feed.page() }
        await expect(.fetch(.circular)) { try await resource.read() }
    }

    // MARK: The budget

    @Test(arguments: ["host", nil])
    func `fifty that read one token get it, though all places are taken`(origin: String?) async throws {
        let options = ResourceOptions(origin: origin)
        let count = Mutex(0)
        let token = larder.common.resource("token", options: options) {
            count.withLock { $0 += 1 }
            return 7
        }
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<50 {
                let resource = larder.common.resource("\(number)", options: options) {
                    try await token.read(.networkOnly).value
                }
                group.addTask { try await resource.read().value }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 350)
        #expect(count.withLock { $0 } < 50)
        #expect(larder.core.flights.waiterCount == 0)
    }

    @Test func `a whole chain of reads goes through one place`() async throws {
        let options = ResourceOptions(origin: "host")
        var next = larder.common.resource("0", options: options) { 0 }
        for number in 1...30 {
            let inner = next
            next = larder.common.resource("\(number)", options: options) { try await inner.read().value + 1 }
        }
        #expect(try await next.read().value == 30)
    }

    // MARK: No answer

    @Test func `a closure that never returns is given up, and what it does later is nobody's`() async throws {
        let late = Mutex<CheckedContinuation<Int, Never>?>(nil)
        let entered = Gate()
        let origin = ScriptedFetch<Void, Int>(
            .answer(1),
            .reply {
                await withCheckedContinuation { continuation in
                    late.withLock { $0 = continuation }
                    entered.open()
                }
            }, .answer(3))
        let resource = larder.common.resource("k", options: .init(fetchTimeout: .seconds(20))) { try await origin() }
        _ = try await resource.read()
        await world.advance(by: .seconds(1))
        let reader = Task { try await resource.read(.networkOnly) }
        try await entered.wait()
        await world.clock.sleepers(atLeast: 1)
        await world.advance(by: .seconds(20))
        await expect(.fetch(.timedOut)) { try await reader.value }
        late.withLock { $0 }?.resume(returning: 2)
        await larder.settle()
        for _ in 0..<100 { await Task.yield() }
        #expect(try resource.peek()?.value == 1)
        #expect(try await resource.read().value == 3)
    }

    @Test func `an answer that comes when its reader is gone is not stored, and the next read asks`() async throws {
        let gate = Gate()
        let origin = ScriptedFetch<Void, Int>(.gated(gate, 1), .answer(2))
        let resource = larder.common.resource("k") { try await origin() }
        let reader = Task { try await resource.read() }
        await gate.reached()
        reader.cancel()
        await expect(.cancelled) { try await reader.value }
        #expect(try await resource.read().value == 2)
    }

    // MARK: Odd errors

    private static let secret = "s3cr3t"

    private struct Odd: Error, CustomStringConvertible, LocalizedError {
        var description: String { secret }
        var errorDescription: String? { secret }
    }

    static let errors: [any Error] = [
        NSError(
            domain: secret, code: 7,
            userInfo: [
                NSLocalizedDescriptionKey: secret, "NSErrorFailingURLStringKey": "https://h/?t=\(secret)",
                NSUnderlyingErrorKey: NSError(domain: secret, code: 1),
            ]),
        NSError(
            domain: NSURLErrorDomain, code: NSURLErrorTimedOut,
            userInfo: [NSLocalizedDescriptionKey: secret, "url": "https://h/?t=\(secret)"]),
        NSError(domain: NSURLErrorDomain, code: 424_242, userInfo: [NSLocalizedDescriptionKey: secret]),
        URLError(.badURL, userInfo: [NSLocalizedDescriptionKey: secret]), Odd(), CancellationError(),
        DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: secret)), LarderError.notStored,
        LarderError.cancelled, LarderError.signedOut, LarderError.storage(.wrapping(Odd())), SignedOut(),
    ]

    @Test(arguments: errors.indices)
    func `whatever is thrown, the failure says nothing private, and what is stored is shown`(index: Int) async throws {
        let error = Self.errors[index]
        let resource = larder.common.resource("k") { () async throws -> Int in throw error }
        let feed: Feed<Item> = larder.common.feed("f", paging: .byID()) { _ in throw error }
        for read in [{ _ = try await resource.read() }, { _ = try await feed.page() }] as [() async throws -> Void] {
            do {
                try await read()
                Issue.record("nothing was thrown")
            } catch let error as LarderError {
                guard case .fetch = error else {
                    Issue.record("\(error)")
                    continue
                }
                var text = "\(error) \(error.localizedDescription) \(String(reflecting: error))"
                dump(error, to: &text)
                #expect(!text.contains(Self.secret))
            }
        }
        try await resource.store(5)
        let reading = try await resource.read()
        #expect(reading.value == 5 && reading.source == .cache)
        // Nobody has signed out.
        #expect(try larder.common.resource("k") { 6 }.peek()?.value == 5)
    }

    // MARK: Absurd times

    static let durations: [Duration] = [
        .seconds(-1), .seconds(Int64.min), .seconds(Int64.max), .milliseconds(-1), .nanoseconds(-1), .nanoseconds(1),
        .zero,
        .seconds(-1_000_000_000_000),
    ]

    @Test(arguments: durations.indices, [ResourceOptions.Storage.database, .files, .memory])
    func `an absurd time to live is a long one or none`(index: Int, storage: ResourceOptions.Storage) async throws {
        let duration = Self.durations[index]
        let larder = try Larder(.temporary, environment: world.environment)
        for (name, maxAge, lifetime) in [("app", duration, nil), ("server", nil, duration)] {
            let resource = larder.common.resource(
                "\(name)", maxAge: maxAge,
                options: .init(
                    storage: storage, staleIfError: duration, fetchTimeout: .seconds(60), patience: .fixed(duration),
                    retry: RetryPolicy(attempts: 2, base: duration, cap: duration, budget: duration))
            ) { _ in .value(1, maxAge: lifetime) }
            _ = try await resource.read()
            await world.advance(by: .milliseconds(1))
            let reading = try await resource.read()
            #expect(reading.value == 1)
            #expect((reading.reason == .fresh) == (duration > .seconds(1)), "\(name) \(duration)")
            // The app has said nothing.
            #expect(try resource.stored()?.metadata.isInvalidated == false, "\(name) \(duration)")
            _ = try await resource.read(.staleWhileRevalidate(within: duration))
            _ = try await resource.read(.networkFirst(patience: .learned(atMost: duration)))
            await larder.settle()
        }
    }

    @Test(
        arguments: [
            "max-age=-1", "max-age=99999999999999999999", "max-age=\"5\"", "max-age=", "max-age=1e9",
            "max-age=0, max-age=60",
        ], ["0", "-5", "99999999999999999999", "x"])
    func `what a server says of times is never worse than asking again`(control: String, age: String) async throws {
        let headers: HeaderFields = [
            "Cache-Control": control, "Age": age, "Date": "Thu, 01 Jan 1970 00:00:00 GMT",
            "Expires": "Fri, 31 Dec 9999 23:59:59 GMT",
        ]
        let resource = larder.common.resource("k", decoding: [Int].self) { _ in .number(1, headers) }
        for _ in 0..<3 {
            let reading = try await resource.read()
            #expect(reading.value == [1] && reading.age >= .zero)
            await world.advance(by: .seconds(3600))
        }
        #expect(try resource.peek()?.value == [1])
    }
}
