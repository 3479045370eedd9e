extension LarderCore {
    /// Tells of what was committed to a feed.
    func publish(_ change: FeedChange, of feed: StoreKey) {
        decodedFeeds.forget(change.inserted + change.updated + change.removed + change.moved, of: feed)
        // Where it is not said what was touched, anything may have been.
        changes.post(.feed(feed), touched: change.touched.isEmpty ? nil : change.touched)
    }
}
