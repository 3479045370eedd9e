import LarderKit

/// A write that is tried on a disk that fails.
struct FaultCase: Sendable {
    /// What it says came of it.
    enum Claim: Sendable, Hashable {
        /// Everything is as it was asked for.
        case done
        /// It was not kept, and that was said.
        case refused
    }

    /// What is old or new as one.
    enum Unit: Sendable, Hashable {
        case everything
        /// Each value and each list by itself: where things in several places are meant, which no transaction spans.
        case eachPart
        /// Each answer of several: in between, a list is one that its server has shown.
        case eachAnswer
    }

    /// What there is when it begins.
    enum Start: Sendable, Hashable, CaseIterable {
        /// A cache with something of everything, which is open already.
        case open
        /// The same, to be opened on the disk that fails.
        case closed
        /// The same, as a process left it that was killed: with a log.
        case unclean
        /// No cache at all.
        case nothing
    }

    let name: String
    var start = Start.open
    var unit = Unit.everything
    let run: @Sendable (FaultScene) async throws -> Claim

    init(_ name: String, unit: Unit = .everything, _ run: @escaping @Sendable (FaultScene) async throws -> Claim) {
        self.name = name
        self.unit = unit
        self.run = run
    }

    /// One that is done when it returns.
    static func call(
        _ name: String, unit: Unit = .everything, _ run: @escaping @Sendable (FaultScene) async throws -> Void
    ) -> FaultCase {
        FaultCase(name, unit: unit) { scene in
            try await run(scene)
            return .done
        }
    }
}

extension FaultCase {
    static let all = values + lists + selections + openings

    /// Opening a cache, and one write to it.
    private static let openings = [Start.closed, .unclean, .nothing].map { start in
        var item = call("open (\(start)) and store") { try await $0.store(FaultScene.place("db/0"), version: small) }
        item.start = start
        return item
    }

    private static let values: [FaultCase] = [
        FaultCase("fetch a small value") { try await $0.fetch(FaultScene.place("db/0"), version: small) },
        FaultCase("fetch a large value") { try await $0.fetch(FaultScene.place("db/1"), version: large) },
        FaultCase("fetch a small value over a large one") {
            try await $0.fetch(FaultScene.place("db/1"), version: small)
        },
        FaultCase("fetch a new value") { try await $0.fetch(FaultScene.place("db/4"), version: small) },
        FaultCase("fetch a new large value") { try await $0.fetch(FaultScene.place("db/4"), version: large) },
        FaultCase("fetch a value into a file") { try await $0.fetch(FaultScene.place("file/0"), version: large) },
        FaultCase("fetch a new value into a file") { try await $0.fetch(FaultScene.place("file/2"), version: small) },
        .call("store a small value") { try await $0.store(FaultScene.place("db/0"), version: small) },
        .call("store a large value") { try await $0.store(FaultScene.place("db/1"), version: large) },
        .call("store a large value over a small one") { try await $0.store(FaultScene.place("db/0"), version: large) },
        .call("store a value in a file") { try await $0.store(FaultScene.place("file/0"), version: small) },
        .call("remove a value") { try await $0.pantry.resource(FaultScene.place("db/0")).remove() },
        .call("remove a large value") { try await $0.pantry.resource(FaultScene.place("db/1")).remove() },
        .call("remove a value in a file") { try await $0.pantry.resource(FaultScene.place("file/0")).remove() },
        .call("count and close") { scene in
            _ = try scene.pantry.resource(FaultScene.place("db/0")).peek()
            await scene.larder.settle()
        },
    ]

    private static let small = FaultVersion.small(20)
    private static let large = FaultVersion.large(20)

    private static let lists = PantryFeed.allCases.flatMap { spec -> [FaultCase] in
        // A page that does not touch the one before is checked by asking for that again.
        let unit = spec == .archive ? Unit.eachAnswer : .everything
        return [
            FaultCase("page of \(spec)") { scene in
                let reading = try await scene.pantry.feed(spec).page(limit: 5, policy: .networkOnly)
                return reading.warnings.contains(where: \.isOfStorage) ? .refused : .done
            },
            .call("refresh \(spec)") { _ = try await $0.pantry.feed(spec).refresh(limit: 8) },
            .call("load older of \(spec)", unit: unit) { _ = try await $0.pantry.feed(spec).loadOlder(limit: 8) },
            .call("fill a gap of \(spec)", unit: unit) { scene in
                let feed = scene.pantry.feed(spec)
                if let gap = try feed.gaps().first { _ = try await feed.fill(gap, limit: 8) }
            },
            .call("trim \(spec)") { try await $0.pantry.feed(spec).trim(to: .newest(4)) },
            .call("trim between items of \(spec)") { scene in
                let feed = scene.pantry.feed(spec)
                guard let page = try feed.peek(limit: 5)?.value, let above = page.newest, let below = page.oldest else {
                    return
                }
                try await feed.trim(between: above, and: below)
            },
            .call("ask again for \(spec)") { _ = try await $0.pantry.feed(spec).revalidate(olderThan: .zero) },
            .call("pin \(spec)") { try await $0.pantry.feed(spec).pin() },
            .call("keep the place in \(spec)") { scene in
                let feed = scene.pantry.feed(spec)
                try await feed.keep(anchor: try feed.peek()?.value.oldest)
            },
        ]
    }

    private static let selections: [FaultCase] = [
        .call("remove an item from all lists") { scene in
            guard let id = try scene.pantry.feed(.home).peek(limit: 3)?.value.oldest else { return }
            try await scene.anna.remove(item: id)
        },
        .call("invalidate a key", unit: .eachPart) { try await $0.anna.invalidate(.key("db/1")) },
        .call("invalidate a key in files", unit: .eachPart) { try await $0.anna.invalidate(.key("file/0")) },
        .call("invalidate by prefix", unit: .eachPart) { try await $0.anna.invalidate(.prefix("db/")) },
        .call("invalidate by tag", unit: .eachPart) { try await $0.anna.invalidate(.tag("all")) },
        .call("invalidate all", unit: .eachPart) { try await $0.anna.invalidate(.all) },
        .call("sign out", unit: .eachPart) { try await $0.anna.signOut() },
    ]
}

extension ReadingWarning {
    fileprivate var isOfStorage: Bool { if case .notKept = self { true } else { false } }
}
