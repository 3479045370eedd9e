import LarderKit
import LarderTestKit

extension Reader {
    mutating func page(_ place: FeedPlace, in session: Session) async {
        guard let feed = feed(place, in: session) else { return }
        let known = place.served.server.ids(at: place.served.server.version)
        let position: FeedPosition =
            switch dice.below(4) {
            case 0, 1: .newest
            case 2: .older(than: known.isEmpty ? ItemID(120) : dice.pick(known))
            default: .newer(than: known.isEmpty ? ItemID(120) : dice.pick(known))
            }
        let limit = 1 + dice.below(20)
        let policy = dice.pick([
            ReadPolicy.cacheFirst, .cacheFirst, .staleWhileRevalidate, .networkFirst(patience: .milliseconds(10)),
            .cacheOnly, .networkOnly,
        ])
        let outcome = await perform(place.name) { () throws(LarderError) in
            try await feed.page(position, limit: limit, policy: policy)
        }
        ledger.noteRead()
        switch outcome.result {
        case .failure(let error):
            note(error, of: place.name, in: session, isCancelled: outcome.isCancelled)
        case .success(let reading):
            tally.count("shown: \(reading.reason.rawValue)")
            check(reading.value, of: place, in: session, limit: limit)
        }
    }

    private mutating func feed(_ place: FeedPlace, in session: Session) -> Feed<FeedItem>? {
        let retry = RetryPolicy(attempts: 2, base: .milliseconds(1), cap: .milliseconds(3), budget: .milliseconds(100))
        return try? session.feed(place, maxAge: maxAge(), retry: dice.chance(80) ? .none : retry)
    }

    mutating func peek(_ place: FeedPlace, in session: Session) {
        do throws(LarderError) {
            guard let reading = try feed(place, in: session)?.peek(limit: 20) else { return }
            check(reading.value, of: place, in: session, limit: 20)
        } catch {
            note(error, of: place.name, in: session, isCancelled: false)
        }
    }

    /// Every item is the session's own, stands there once, and in the list's order where ids tell it.
    private mutating func check(_ page: FeedPage<FeedItem>, of place: FeedPlace, in session: Session, limit: Int) {
        tally.count("values checked", page.items.count)
        ledger.check(page.items.count <= limit, "more items than were asked for: \(place.name)")
        ledger.check(Set(page.ids).count == page.ids.count, "an item stands there twice: \(place.name)")
        for item in page.items where !session.isOwn(item.text, in: place) {
            ledger.violate("\(place.name) was shown an item of \(item.text)")
        }
        guard place.spec == .timeline else { return }
        let numbers = page.ids.compactMap { Int($0.rawValue) }
        ledger.check(
            zip(numbers, numbers.dropFirst()).allSatisfy { $0 > $1 },
            "a page is out of order: \(place.name): \(numbers)")
    }

    /// Asks for the head, for what lies below, or for what is missing.
    mutating func move(_ place: FeedPlace, in session: Session) async {
        guard let feed = feed(place, in: session) else { return }
        let way = dice.below(4)
        let keep = dice.below(40)
        let outcome = await perform("moving on in \(place.name)") { () throws(LarderError) in
            switch way {
            case 0, 1: try await feed.refresh(limit: 10)
            case 2: try await feed.loadOlder(limit: 10)
            default: try await feed.trim(to: .newest(keep))
            }
        }
        switch outcome.result {
        case .failure(let error): note(error, of: place.name, in: session, isCancelled: outcome.isCancelled)
        case .success: tally.count("moves in feeds")
        }
    }

    mutating func removeItem(_ place: FeedPlace, in session: Session) async {
        let id = ItemID(100 + dice.below(60))
        let outcome = await perform("removing an item of \(place.name)") { () throws(LarderError) in
            try await session.partition.remove(item: id)
        }
        guard case .failure(let error) = outcome.result else { return }
        note(error, of: place.name, in: session, isCancelled: outcome.isCancelled)
    }

    mutating func follow(_ place: FeedPlace, in session: Session) async {
        guard let feed = feed(place, in: session) else { return }
        let refresh = dice.pick([RefreshPolicy.whenStale, .never, .always])
        let most = 1 + dice.below(5)
        let life = dice.milliseconds(0...300)
        let ledger = ledger
        await watchdog.watching("following \(place.name)", as: number) {
            let task = Task {
                var seen = 0
                for await snapshot in feed.updates(limit: 20, refresh: refresh) {
                    seen += 1
                    session.check(snapshot, of: place)
                    if seen >= most { break }
                }
                ledger.count("snapshots", seen)
            }
            try? await Task.sleep(for: life)
            task.cancel()
            await task.value
        }
    }

    /// Things that were all said to have changed.
    mutating func invalidate(_ session: Session) async {
        let prefix = "key/\(dice.below(10))"
        let meant = session.places.filter { $0.spec.key.hasPrefix(prefix) }
        for place in meant { place.withFlights { $0.beginDetaching() } }
        let outcome = await perform("invalidating \(prefix) in \(session.owner)") { () throws(LarderError) in
            try await session.partition.invalidate(.prefix(prefix))
        }
        endDetaching(meant)
        switch outcome.result {
        case .success: tally.count("invalidated")
        case .failure(let error):
            note(error, of: prefix, in: session, isCancelled: outcome.isCancelled, mayNotStore: true)
        }
    }
}

extension Session {
    /// Rows are read when they are touched, which may be after signing out: then there is nothing to show.
    fileprivate func check(_ snapshot: FeedSnapshot<FeedItem>, of place: FeedPlace) {
        for row in snapshot.timeline?.value ?? Timeline() {
            guard case .item(_, let item) = row else { continue }
            ledger.check(isOwn(item.text, in: place), "\(place.name) was shown an item of \(item.text)")
        }
    }
}
