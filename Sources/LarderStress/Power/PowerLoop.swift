import Foundation
import LarderKit
import LarderTestKit

/// Works on a cache on a disk that writes down what is done to it, and builds what may be left of it when the power goes:
/// at many moments, in many ways.
struct PowerLoop: StressLoop {
    static let name = "power"
    static let summary = """
        Works on a cache while all that is done to the disk is written down, builds what may be on it when the power goes (what
        was synced, and any part of the rest), at many moments, and checks each: it opens, is sound, shows no half of
        anything, and holds the values of one moment; with the durability powerLoss, every write that had returned.
        """
    static let numbers = [
        LoopNumber(name: "steps", standard: 120, range: 1...100_000),
        LoopNumber(name: "points", standard: 300, range: 1...1_000_000),
        LoopNumber(name: "states", standard: 8, range: 1...10_000),
    ]

    let options: LoopOptions

    init(_ options: LoopOptions) {
        self.options = options
    }

    func run(_ console: LoopConsole) async throws -> LoopReport {
        var report = LoopReport(Self.self, seed: options.seed)
        for durability in [Durability.processCrash, .powerLoss] where !console.isStopped {
            let history = try await PowerHistory.make(durability, seed: options.seed, steps: options["steps"])
            report.count("events, \(durability.rawValue)", history.recording.events.count)
            try await check(history, durability, &report, console)
        }
        return report
    }

    /// Looks at what may be left at moments spread over the history.
    func check(
        _ history: PowerHistory, _ durability: Durability, _ report: inout LoopReport, _ console: LoopConsole
    ) async throws {
        var power = PowerLoss(history.recording)
        var model = PantryModel()
        var lines = history.lines[...]
        let count = history.recording.events.count
        let points = min(options["points"], count)
        for point in 0...points where !console.isStopped {
            let moment = count * point / max(points, 1)
            power.advance(to: moment)
            while let line = lines.first, line.moment <= moment {
                model.take(line.line)
                lines.removeFirst()
            }
            for (number, contents) in power.states(limit: options["states"], seed: options.seed).enumerated() {
                console.progress("\(durability.rawValue), moment \(moment) of \(count), \(report.findings) findings")
                report.count("states opened, \(durability.rawValue)")
                let scratch = try ScratchFolder()
                try contents.write(to: scratch.cache)
                for finding in await findings(in: scratch.cache, model, durability, &report) {
                    report.find("\(durability.rawValue), moment \(moment), state \(number): \(finding)")
                }
            }
        }
    }

    private func findings(
        in folder: URL, _ model: PantryModel, _ durability: Durability, _ report: inout LoopReport
    ) async -> [String] {
        let troubles = await Soundness.troubles(of: folder, forgets: durability == .processCrash)
        do {
            let larder = try Larder(.folder(folder), options: Soundness.options(durability))
            defer { larder.close() }
            let state = PantryState(of: larder)
            for case .unreadable in state.values.values { report.count("bodies lost, \(durability.rawValue)") }
            return troubles + model.findings(in: state, forgets: durability == .processCrash)
        } catch {
            return troubles + ["it cannot be opened: \(error)"]
        }
    }
}
