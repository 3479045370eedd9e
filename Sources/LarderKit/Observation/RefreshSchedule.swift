/// Decides when what is watched is asked for again, without a clock: time and chance come as arguments.
///
/// Each thing that is watched is in it once, however many watch it. What makes many things due at once spreads them, so that
/// neither the server nor the device meets all of them, or all devices, in one moment.
struct RefreshSchedule: Sendable {
    typealias Topic = ChangeHub.Topic

    /// What makes it worth asking again.
    enum Event: Sendable, Hashable {
        /// The network is back.
        case network
        /// A host is back, or may be.
        case origin(String)
        case foreground
        /// The app says that something has changed.
        case changed(Set<Topic>)
    }

    private struct Entry {
        let origin: String
        var watchers: [Int: RefreshPolicy] = [:]
        /// When it was last asked for.
        var asked: Duration
        /// When it was last to be asked for: then it was, or the server was left alone.
        var tried: Duration
        /// When it is to be asked for after an event.
        var due: Duration?

        var interval: Duration? { watchers.values.compactMap(\.interval).min() }
        var isOnEvents: Bool { watchers.values.contains { $0.isOnEvents } }
        var next: Duration? { [due, interval.map { tried + $0 }].compactMap(\.self).min() }
    }

    /// So soon after a request an event says nothing new, and what failed is not asked for again.
    static let quietTime = Duration.seconds(2)
    /// How far apart requests are spread after an event, for each thing that is due and in all.
    static let spread = (each: Duration.milliseconds(100), most: Duration.seconds(10))

    private var entries: [Topic: Entry] = [:]

    /// Somebody begins to watch, and has asked or looked now.
    mutating func add(_ watcher: Int, _ topic: Topic, origin: String, _ policy: RefreshPolicy, at now: Duration) {
        guard policy.isOnEvents || policy.interval != nil else { return }
        entries[topic, default: Entry(origin: origin, asked: now, tried: now)].watchers[watcher] = policy
    }

    mutating func remove(_ watcher: Int, _ topic: Topic) {
        entries[topic]?.watchers[watcher] = nil
        if entries[topic]?.watchers.isEmpty == true { entries[topic] = nil }
    }

    /// Plans what an event makes worth asking for. What is planned already stays where it is, if that is earlier.
    ///
    /// - Parameter isTroubled: Whether the last request failed, or was not made.
    mutating func plan(
        _ event: Event, at now: Duration, random: any RandomSource, isTroubled: (Topic) -> Bool = { _ in true }
    ) {
        let troubled = Set(entries.keys.filter(isTroubled))
        let meant = entries.filter { topic, entry in
            guard entry.isOnEvents else { return false }
            let isQuiet = now - entry.asked >= Self.quietTime
            return switch event {
            case .network, .foreground: isQuiet || troubled.contains(topic)
            // What was answered is not concerned, the request that found out least of all.
            case .origin(let origin): entry.origin == origin && troubled.contains(topic)
            case .changed(let topics): topics.contains(topic)
            }
        }
        let spread = min(Self.spread.each * Double(meant.count), Self.spread.most)
        // In an order that does not depend on how a dictionary lies in memory.
        for (topic, entry) in meant.sorted(by: {
            ($0.key.partition, $0.key.key.key) < ($1.key.partition, $1.key.key.key)
        }) {
            let due = isSpread(event) ? max(now + random.duration(upTo: spread), entry.asked + Self.quietTime) : now
            entries[topic]?.due = min(entry.due ?? due, due)
        }
    }

    /// Who looks at the app, or has just changed something, is not made to wait.
    private func isSpread(_ event: Event) -> Bool {
        switch event {
        case .network, .origin: true
        case .foreground, .changed: false
        }
    }

    /// When something is due next.
    var next: Duration? { entries.values.compactMap(\.next).min() }

    /// One thing that is to be asked for, and who may ask: those whose policy asks for most first.
    struct Due: Sendable, Equatable {
        let topic: Topic
        let watchers: [Int]
        /// Whatever its age.
        let isUnconditional: Bool
    }

    /// Takes what is due.
    mutating func take(at now: Duration) -> [Due] {
        var due: [Due] = []
        for (topic, entry) in entries where entry.next.map({ $0 <= now }) ?? false {
            let isOfInterval = entry.interval.map { entry.tried + $0 <= now } ?? false
            let watchers = entry.watchers.sorted { rank($0) > rank($1) }
            guard let first = watchers.first else { continue }
            entries[topic]?.due = nil
            entries[topic]?.tried = now
            due.append(
                Due(
                    topic: topic, watchers: watchers.map(\.key),
                    isUnconditional: isOfInterval || first.value.kind == .always))
        }
        return due.sorted { ($0.topic.partition, $0.topic.key.key) < ($1.topic.partition, $1.topic.key.key) }
    }

    /// Says that something has been asked for.
    mutating func asked(for topic: Topic, at now: Duration) {
        entries[topic]?.asked = now
    }

    private func rank(_ watcher: (key: Int, value: RefreshPolicy)) -> (Int, Int) {
        (watcher.value.kind == .always ? 1 : 0, watcher.key)
    }

    /// How many things are watched.
    var count: Int { entries.count }
}
