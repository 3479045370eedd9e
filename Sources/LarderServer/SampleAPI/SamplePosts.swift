import Foundation

/// The posts of the timeline, and those to come.
///
/// An id is the post's time in milliseconds since 1970, times 65,536, plus 16 bits of chance: above what a double can
/// hold, like the ids of real services, and ascending with every post.
struct SamplePosts {
    private(set) var ids: [UInt64] = []
    private var posts: [UInt64: SamplePost] = [:]
    private var writer: SampleWriter
    private let start: Date
    private var grown = 0
    private var latestMilliseconds: UInt64 = 0

    init(count: Int, seed: UInt64, start: Date) {
        self.start = start
        writer = SampleWriter(seed: seed)
        for index in 0..<max(count, 0) {
            // Three minutes apart, up to the start.
            publish(at: start.addingTimeInterval(-180 * Double(count - index)))
        }
    }

    subscript(id: UInt64) -> SamplePost? { posts[id] }

    /// Publishes a post, dated `time` or just behind the latest one if that is later: ids only ascend.
    @discardableResult
    mutating func publish(at time: Date) -> UInt64 {
        let milliseconds = UInt64(min(max(time.timeIntervalSince1970 * 1000, 0), Self.lastMilliseconds))
        latestMilliseconds = max(milliseconds, latestMilliseconds + 1)
        let id = latestMilliseconds << 16 | writer.chance(below: 1 << 16)
        ids.append(id)
        posts[id] = SamplePost(json: writer.post(id: id, milliseconds: latestMilliseconds))
        return id
    }

    /// Publishes what has become due since the start. A clock set back publishes nothing.
    mutating func grow(every interval: Duration?, until now: Date) {
        guard let seconds = interval.map({ $0 / .seconds(1) }), seconds > 0 else { return }
        let due = Int(min(max(now.timeIntervalSince(start) / seconds, 0), 1e12))
        // After a long time unasked only the latest appear: nobody waits for the writing of a year's posts.
        grown = max(grown, due - Self.mostAtOnce)
        while grown < due {
            grown += 1
            publish(at: start.addingTimeInterval(seconds * Double(grown)))
        }
    }

    mutating func delete(_ id: UInt64) -> Bool {
        guard posts.removeValue(forKey: id) != nil else { return false }
        ids.remove(at: ids.partitioningIndex { $0 >= id })
        return true
    }

    private static let mostAtOnce = 1000
    /// The largest time that leaves room for the 16 bits.
    private static let lastMilliseconds = Double(0x7FFF_FFFF_FFFF as UInt64)
}

/// A post as it is served.
struct SamplePost {
    let json: Data
}
