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
    private struct Seen {
        var number = 0
        var reading: Reading<Value>?
        /// What the store said of the value.
        var metadata: EntryMetadata?
        var isUnread = true
    }

    private let seen = Mutex(Seen())

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
            var isFresh = seen.isUnread || news.isChanged
            var trouble: LarderError?
            do throws(LarderError) {
                if isFresh || news.isSupposed {
                    // Before the value: of that it is then at least as old.
                    let metadata = try resource.look()?.metadata
                    isFresh = isFresh || metadata != seen.metadata
                    if isFresh {
                        seen.reading = try resource.peek()
                        seen.metadata = metadata
                        seen.isUnread = false
                    }
                }
            } catch {
                changes.giveBack(news)
                isFresh = true
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

    /// Asks the server where `policy` says so, now and when there is reason to, for as long as the watcher is held.
    ///
    /// - Returns: Besides, what the network does for it now.
    func watch(_ policy: RefreshPolicy) -> (watcher: Refresher.Watcher, activity: Activity) {
        let resource = resource
        let watcher = resource.core.refresher.watch(.resource(resource.key), origin: resource.origin, policy) {
            resource.ask($0 ? .always : .whenStale)
        }
        let isAsking = !isEnded && resource.ask(policy.kind)
        return (watcher, isAsking ? .loading : changes.activity)
    }
}

extension Resource {
    /// Asks the server in the background, unless what is stored need not be asked for, or the server is left alone.
    ///
    /// - Returns: Whether it is being asked.
    @discardableResult
    fileprivate func ask(_ kind: RefreshPolicy.Kind) -> Bool {
        guard kind != .never, !partition.isSignedOut else { return false }
        // What cannot be read is asked for: the answer replaces it.
        let stored = try? look()
        if kind == .whenStale, let stored, facts(stored.metadata).isFresh, (try? value(of: stored)) != nil {
            return false
        }
        guard let probe = core.permission(toAsk: .resource(key), of: origin) else { return false }
        ResourceRead(resource: self, policy: policy).start(probe)
        return true
    }
}
