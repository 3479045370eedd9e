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
        /// When it is to be asked for after an event.
        var due: Duration?

        var interval: Duration? { watchers.values.compactMap(\.interval).min() }
        var isOnEvents: Bool { watchers.values.contains { $0.isOnEvents } }
        var next: Duration? { [due, interval.map { asked + $0 }].compactMap(\.self).min() }
    }

    /// Events so soon after a request say nothing new.
    static let quietTime = Duration.seconds(2)
    /// How far apart requests are spread after an event, for each thing that is due and in all.
    static let spread = (each: Duration.milliseconds(100), most: Duration.seconds(10))

    private var entries: [Topic: Entry] = [:]

    /// Somebody begins to watch, and has asked or looked now.
    mutating func add(_ watcher: Int, _ topic: Topic, origin: String, _ policy: RefreshPolicy, at now: Duration) {
        guard policy.isOnEvents || policy.interval != nil else { return }
        entries[topic, default: Entry(origin: origin, asked: now)].watchers[watcher] = policy
    }

    mutating func remove(_ watcher: Int, _ topic: Topic) {
        entries[topic]?.watchers[watcher] = nil
        if entries[topic]?.watchers.isEmpty == true { entries[topic] = nil }
    }

    /// Plans what an event makes worth asking for. What is planned already stays where it is, if that is earlier.
    mutating func plan(_ event: Event, at now: Duration, random: any RandomSource) {
        let meant = entries.filter { topic, entry in
            switch event {
            case .network, .foreground: entry.isOnEvents && now - entry.asked >= Self.quietTime
            case .origin(let origin): entry.isOnEvents && entry.origin == origin
            case .changed(let topics): topics.contains(topic) && entry.isOnEvents
            }
        }
        let spread = min(Self.spread.each * Double(meant.count), Self.spread.most)
        // In an order that does not depend on how a dictionary lies in memory.
        for topic in meant.keys.sorted(by: { ($0.partition, $0.key.key) < ($1.partition, $1.key.key) }) {
            let due = now + (isSpread(event) ? random.duration(upTo: spread) : .zero)
            let planned = entries[topic]?.due ?? due
            entries[topic]?.due = min(planned, due)
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

    /// One thing that is to be asked for, and who may ask.
    struct Due: Sendable, Equatable {
        let topic: Topic
        let watcher: Int
        /// Whatever its age.
        let isUnconditional: Bool
    }

    /// Takes what is due.
    mutating func take(at now: Duration) -> [Due] {
        var due: [Due] = []
        for (topic, entry) in entries where entry.next.map({ $0 <= now }) ?? false {
            let isOfInterval = entry.interval.map { entry.asked + $0 <= now } ?? false
            // Whose policy asks for most.
            guard let watcher = entry.watchers.max(by: { rank($0) < rank($1) }) else { continue }
            entries[topic]?.due = nil
            entries[topic]?.asked = now
            due.append(
                Due(
                    topic: topic, watcher: watcher.key,
                    isUnconditional: isOfInterval || watcher.value.kind == .always))
        }
        return due.sorted { ($0.topic.partition, $0.topic.key.key) < ($1.topic.partition, $1.topic.key.key) }
    }

    private func rank(_ watcher: (key: Int, value: RefreshPolicy)) -> (Int, Int) {
        (watcher.value.kind == .always ? 1 : 0, watcher.key)
    }

    /// How many things are watched.
    var count: Int { entries.count }
}
