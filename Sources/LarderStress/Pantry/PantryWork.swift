import LarderKit
import Synchronization

/// The mixed load: does things to a pantry and says so, before and after.
struct PantryWork: Sendable {
    /// What does not meet itself: things of one lane happen one after the other.
    enum Lane: Sendable, Hashable, CaseIterable {
        case values, files, account, marks, home, notes, issues, archive, trends

        var feed: PantryFeed? {
            switch self {
            case .values, .files, .account, .marks: nil
            case .home: .home
            case .notes: .notes
            case .issues: .issues
            case .archive: .archive
            case .trends: .trends
            }
        }
    }

    let pantry: Pantry
    /// Counts what is done, over all lanes.
    let numbers: Numbers
    let log: @Sendable (PantryLine) -> Void

    final class Numbers: Sendable {
        private let last: Atomic<Int>

        init(after last: Int) {
            self.last = Atomic(last)
        }

        func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
    }

    /// Does one thing of a lane.
    func step(_ lane: Lane, _ dice: inout Dice) async {
        if let feed = lane.feed { return await step(feed, &dice) }
        switch lane {
        case .marks: await mark(&dice)
        case .account where dice.chance(15):
            await perform(.signOut("bob")) { _ in
                try await pantry.larder.partition("bob").signOut()
                return .done
            }
        case .account: await change(dice.pick(PantryPlace.all.filter { $0.partition == "bob" }), &dice)
        default:
            let places = PantryPlace.all.filter { $0.partition == "anna" && $0.isInFile == (lane == .files) }
            await change(dice.pick(places), &dice)
        }
    }

    private func change(_ place: PantryPlace, _ dice: inout Dice) async {
        guard !dice.chance(12) else {
            return await perform(.remove("\(place)")) { _ in
                try await pantry.resource(place).remove()
                return .done
            }
        }
        let isFetched = dice.chance(50)
        await perform(.store("\(place)")) { number in
            let resource = pantry.resource(place, version: number)
            guard isFetched else {
                try await resource.store(Sample("\(place)", version: number, size: Sample.size(of: number)))
                return .done
            }
            let reading = try await resource.read(.networkOnly)
            return reading.value.version == number && reading.warnings.isEmpty ? .done : .refused
        }
    }

    private func mark(_ dice: inout Dice) async {
        let selection = dice.pick([Selection.tag("all"), .prefix("db/"), .key("db/1"), .all])
        await perform(.invalidate) { _ in
            try await pantry.larder.partition("anna").invalidate(selection)
            return .done
        }
    }

    /// Does something, with its number.
    func perform(_ work: PantryLine.Work, _ body: (Int) async throws -> PantryLine.Result) async {
        let number = numbers.next()
        log(.begin(number, work))
        let result: PantryLine.Result
        do { result = try await body(number) } catch { result = .failed("\(error)") }
        log(.end(number, result))
    }
}

extension PantryWork {
    private func step(_ spec: PantryFeed, _ dice: inout Dice) async {
        let feed = pantry.feed(spec)
        if dice.chance(60) {
            let total = pantry.total(of: spec) + 1 + dice.below(6)
            // Before: the answer may be stored when this process ends.
            log(.begin(numbers.next(), .grow(spec, total)))
            pantry.grow(spec, to: total)
        }
        let limit = 3 + dice.below(15)
        switch dice.below(20) {
        case 0...7:
            await load(spec) { try await feed.refresh(limit: limit) }
        case 8...13:
            await load(spec) { try await feed.loadOlder(limit: limit) }
        case 14...16:
            let side = dice.pick([GapSide.newer, .older])
            let lot = dice.below(1000)
            await load(spec) {
                let gaps = try feed.gaps()
                guard !gaps.isEmpty else { return try await feed.refresh(limit: limit) }
                return try await feed.fill(gaps[lot % gaps.count], from: side, limit: limit)
            }
        case 17:
            let count = 20 + dice.below(60)
            await perform(.trim(spec)) { _ in
                try await feed.trim(to: .newest(count))
                return .done
            }
        case 18:
            guard let id = try? feed.peek(limit: 20)?.value.oldest, let number = Int(id.rawValue) else { return }
            await perform(.removeItem(number)) { _ in
                try await pantry.larder.partition("anna").remove(item: id)
                return .done
            }
        default:
            await load(spec) { try await feed.revalidate(olderThan: .zero, limit: limit) }
        }
    }

    private func load(_ spec: PantryFeed, _ body: () async throws -> FeedChange?) async {
        await perform(.load(spec)) { _ in
            let ids = try await body()?.inserted ?? []
            return .inserted(ids.compactMap { Int($0.rawValue) })
        }
    }
}
