import LarderSQLite

extension Larder {
    /// Keeps this cache from holding locks of its files, until ``resume()``.
    ///
    /// iOS ends an app that it suspends while that holds a lock of a file which is shared with its extensions (the code is
    /// 0xDEAD10CC). To be awaited before that: in a background task, when the scene goes to the background, and at the end of an
    /// extension's work.
    ///
    /// ```swift
    /// .onChange(of: scenePhase) { _, phase in
    ///     switch phase {
    ///     case .active: larder.resume(); larder.enteredForeground()
    ///     case .background: Task { await suspendInBackgroundTask(larder) }
    ///     default: break
    ///     }
    /// }
    /// ```
    ///
    /// When it returns, nothing is being written, no log emptied and no long list read, and none of it begins; what was begun
    /// and may not be cut off is completed first. Writes wait, and their tasks can be cancelled. Requests go on; what they bring
    /// waits to be stored. Reading stored values, which takes microseconds, goes on too. Calling it again does nothing more, and
    /// one ``resume()`` ends it, as does ``close()``.
    public func suspend() async { await core.suspend() }

    /// Ends a suspension: what has waited goes on. Does nothing where there is none.
    public func resume() { core.resume() }
}

extension LarderCore {
    fileprivate func suspend() async {
        await damage.suspend()
        await database.suspend()
        await (fileStore as? FileStore)?.gate.shut()
    }

    fileprivate func resume() {
        database.resume()
        (fileStore as? FileStore)?.gate.open()
        damage.resume()
    }

    /// Ends it for good: what is closed has to be written to.
    func endSuspension() {
        database.endSuspension()
        (fileStore as? FileStore)?.gate.end()
    }
}
