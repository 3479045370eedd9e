import LarderSQLite

extension Larder {
    /// Lets go of what is in memory only to be found faster: decoded values, decoded items, the pages that SQLite keeps. All of it
    /// is read again when it is needed. What was stored with ``ResourceOptions/Storage/memory`` stays: it has no other place.
    ///
    /// To be called when memory is scarce; on Apple's systems it is done by itself then.
    public func releaseMemory() { core.releaseMemory() }
}

extension LarderCore {
    func releaseMemory() {
        tier.removeAll()
        decodedFeeds.forgetAll()
        database.releaseMemory()
    }
}
