extension LarderCore {
    /// Tells of what was committed to a feed, and to others along with it.
    func publish(_ change: FeedChange, of feed: StoreKey) {
        decodedFeeds.forget(change.inserted + change.updated + change.removed + change.moved, of: feed)
        changes.post(.feed(feed), touched: change.touched)
        for shared in change.shared {
            let other = StoreKey(partition: feed.partition, key: shared.feedName)
            decodedFeeds.forget(shared.updated, of: other)
            changes.post(.feed(other), touched: shared.touched)
        }
    }

    /// Tells of stretches of a feed that were forgotten.
    func publish(forgotten touched: [Span], of feed: StoreKey) {
        guard !touched.isEmpty else { return }
        decodedFeeds.forget(nil, of: feed)
        changes.post(.feed(feed), touched: touched)
    }

    /// Tells of what the app has said to have changed, and has it asked for where it is watched.
    func invalidated(in partition: String, _ isMeant: (ChangeHub.Topic) -> Bool) {
        changes.journal.note(.partition(partition))
        let topics = Set(changes.topics.filter(isMeant))
        for topic in topics { changes.post(topic) }
        refresher.happened(.changed(topics))
    }

    /// Has what is watched looked at again, and asked for where it is stale.
    func enteredForeground() {
        for topic in changes.topics { changes.post(topic) }
        refresher.happened(.foreground)
    }
}
