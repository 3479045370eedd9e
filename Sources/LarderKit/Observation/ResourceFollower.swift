import Synchronization

/// Follows one resource for one consumer.
final class ResourceFollower<Value: Sendable>: Sendable {
    /// The resource as it was at one look.
    struct Frame: Sendable {
        /// Counts the looks, so that of two frames it can be told which is the later one.
        let number: Int
        let reading: Reading<Value>?
        /// Whether the value was read anew.
        let isFresh: Bool
        let activity: Activity
        /// Why the value could not be read; the reading is that of the look before.
        let error: LarderError?
    }

    let resource: Resource<Value>
    private let changes: ChangeFollower
    private let seen = Mutex<(number: Int, reading: Reading<Value>?, isUnread: Bool)>((0, nil, true))

    init(_ resource: Resource<Value>) {
        self.resource = resource
        changes = resource.core.changes.follow(.resource(resource.key))
        if resource.partition.isSignedOut { changes.end() }
    }

    var isEnded: Bool { changes.isEnded }

    /// The resource as it is now.
    func look() -> Frame {
        seen.withLock { seen in
            let activity = changes.activity
            let news = changes.takeNews()
            let isFresh = seen.isUnread || news.isChanged
            var trouble: LarderError?
            do throws(LarderError) {
                if isFresh {
                    seen.reading = try resource.peek()
                    seen.isUnread = false
                }
            } catch {
                changes.giveBack(news)
                trouble = error
            }
            seen.number += 1
            return Frame(
                number: seen.number, reading: seen.reading, isFresh: isFresh, activity: activity, error: trouble)
        }
    }

    /// The same off the caller's actor: reading belongs on no main thread that can wait for it.
    @concurrent func lookAside() async -> Frame { look() }

    /// The resource as it is at its next change; `nil` when there is nothing more to come, or the task is cancelled.
    @concurrent func next() async -> Frame? {
        await changes.changed() ? look() : nil
    }

    /// Asks the server, where `policy` says so. Does not wait for the answer.
    ///
    /// - Returns: Whether it is being asked.
    func ask(_ policy: RefreshPolicy) -> Bool {
        guard policy != .never, !isEnded else { return false }
        // What cannot be read is asked for: the answer replaces it.
        let stored = try? resource.stored()
        if policy == .whenStale, let stored, resource.facts(stored.metadata).isFresh,
            (try? resource.decode(stored)) != nil
        {
            return false
        }
        ResourceRead(resource: resource, policy: resource.policy).start()
        return true
    }
}
