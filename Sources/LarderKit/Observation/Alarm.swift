/// One task that sleeps until something is due. Kept with the state that says when that is, under its lock.
struct Alarm: Sendable {
    /// When it wakes.
    private(set) var time: Duration?
    private var task: Task<Void, Never>?

    /// Sees to it that `ring` is called when it is time, or earlier: one that is set to an earlier time stays, and who is woken
    /// looks what is due.
    mutating func set(
        _ due: Duration?, by clock: any LarderClock, _ ring: @escaping @Sendable (_ time: Duration) async -> Void
    ) {
        guard let due else { return cancel() }
        if let time, time <= due { return }
        task?.cancel()
        time = due
        task = Task {
            do { try await clock.sleep(for: due - clock.elapsed) } catch { return }
            await ring(due)
        }
    }

    /// To be told what `ring` was given: from now on it can be set anew.
    mutating func hasRung(_ time: Duration) {
        if self.time == time { (self.time, task) = (nil, nil) }
    }

    mutating func cancel() {
        task?.cancel()
        (time, task) = (nil, nil)
    }
}
