import Foundation

/// What may be on a disk when the power goes.
///
/// What was synced is there. Of what was done to a file since its last sync, any part may be: each write or truncation, or
/// none; and of a write the first sectors of 512 bytes. The same holds for the names in a folder since that was synced, each
/// by itself: a file that was made, renamed or deleted may be so or not, whatever became of those before.
///
/// ```swift
/// var power = PowerLoss(recording)
/// for moment in 0...recording.events.count {
///     power.advance(to: moment)
///     for contents in power.states(limit: 16, seed: 1) {
///         try contents.write(to: folder)
///         check(folder)
///     }
/// }
/// ```
///
/// That a sector is either old or new is an assumption; a disk that breaks it, or that calls synced what it has not written,
/// is not what this shows.
public struct PowerLoss: Sendable {
    public let recording: DiskRecording
    /// How many of the recording's events have happened.
    public private(set) var moment = 0
    private var model: PendingDisk

    /// The beginning of a recording.
    public init(_ recording: DiskRecording) {
        self.recording = recording
        model = PendingDisk(recording.beginning)
    }

    /// Lets time pass to a moment that is not past, the end being the number of events.
    public mutating func advance(to moment: Int) {
        while self.moment < min(moment, recording.events.count) {
            model.take(recording.events[self.moment])
            self.moment += 1
        }
    }

    /// What is on the disk if all that was recorded has happened: what the end of a process leaves.
    public static func everything(of recording: DiskRecording) -> DiskContents {
        var power = PowerLoss(recording)
        power.advance(to: recording.events.count)
        return power.model.contents(choosing: power.model.options.map { $0 - 1 })
    }

    /// How many different choices there are for what has become of what is not synced, as far as an `Int` can tell.
    public var choiceCount: Int {
        model.options.reduce(1) { count, options in
            let (product, overflows) = count.multipliedReportingOverflow(by: options)
            return overflows ? .max : product
        }
    }

    /// What may be on the disk if the power goes now: everything there is to choose from where that is no more than `limit`.
    /// Otherwise what is synced alone, all that was done, and others by lot.
    ///
    /// - Parameters:
    ///   - limit: How many at most.
    ///   - seed: What the lots come from: the same seed draws the same ones.
    public func states(limit: Int, seed: UInt64) -> [DiskContents] {
        let options = model.options
        guard choiceCount > limit else {
            return distinct((0..<choiceCount).map { Self.choices(number: $0, of: options) })
        }
        var dice = SplitMix64(seed: seed &+ UInt64(moment) &* 0x9E37_79B9)
        let all = options.map { $0 - 1 }
        var choices = [options.map { _ in 0 }, all]
        while choices.count < limit {
            choices.append(
                options.map { count in
                    // Halves of writes are rare in what is drawn evenly over writes, and common over sectors.
                    switch Int.random(in: 0..<5, using: &dice) {
                    case 0, 1: 0
                    case 2, 3: count - 1
                    default: Int.random(in: 0..<count, using: &dice)
                    }
                })
        }
        return distinct(Array(choices.prefix(max(0, limit))))
    }

    private func distinct(_ choices: [[Int]]) -> [DiskContents] {
        var seen: Set<DiskContents> = []
        return choices.map { model.contents(choosing: $0) }.filter { seen.insert($0).inserted }
    }

    /// The digits of a number, each to the base of how many options there are.
    private static func choices(number: Int, of options: [Int]) -> [Int] {
        var rest = number
        return options.map { count in
            defer { rest /= count }
            return rest % count
        }
    }
}
