import Foundation
import LarderKit
import LarderTestKit

/// Starts a process that works on a cache, kills it at any moment, and looks at what is left; again and again.
///
/// It shows what the end of a process leaves, and nothing of what a power cut does: what was written is in the system's
/// cache and survives.
struct KillLoop: StressLoop {
    static let name = "kills"
    static let summary = """
        Starts a process that works on a cache and tells of each write before and after it, kills it (SIGKILL) at any moment,
        and checks what is left: every write that was told of, that nothing is claimed which the server did not show, and
        that the cache is sound.
        """
    static let numbers =
        [
            LoopNumber(name: "rounds", standard: 300, range: 1...1_000_000),
            LoopNumber(name: "after", standard: 0, range: 0...Int.max, isInner: true),
        ]
        + PantryFeed.allCases.map {
            LoopNumber(name: $0.rawValue, standard: 0, range: 0...Int.max, isInner: true)
        }

    let options: LoopOptions
    /// The program that is started.
    var tool = Child.ownTool
    /// After so many rounds another folder is taken, so that its beginning is met as well.
    var roundsOfAFolder = 25

    init(_ options: LoopOptions) {
        self.options = options
    }

    func run(_ console: LoopConsole) async throws -> LoopReport {
        var report = LoopReport(Self.self, seed: options.seed)
        var dice = Dice(seed: options.seed, stream: 0)
        var scratch = try ScratchFolder()
        var model = PantryModel()
        for round in 0..<options["rounds"] where !console.isStopped {
            console.progress("round \(round), \(report.findings) findings")
            if round.isMultiple(of: roundsOfAFolder), round > 0 {
                scratch = try ScratchFolder()
                model = PantryModel()
            }
            let child = try start(round, on: scratch.cache, after: model, among: console.children)
            // At its start, where it opens the cache, or in the middle of things.
            let isAtWork = dice.chance(80)
            if isAtWork { await child.begins() }
            try? await Task.sleep(for: dice.milliseconds(isAtWork ? 0...400 : 0...80))
            child.kill()
            let lines = await child.lines()
            let end = await child.end()
            if console.isStopped { break }
            if !end.isKill { report.find("round \(round): the process ended by itself with \(end.status)") }
            report.count("rounds")
            take(lines, into: &model, &report, round)
            await check(scratch.cache, &model, &report, round)
        }
        return report
    }

    private func start(
        _ round: Int, on folder: URL, after model: PantryModel, among siblings: Children
    ) throws -> Child {
        let totals = PantryFeed.allCases.flatMap { ["--\($0.rawValue)", "\(model.totals[$0] ?? 0)"] }
        let seed = options.seed &+ UInt64(round) &* 1_000_003
        return try Child(
            tool,
            [Self.name, "--role", "writer", "--folder", folder.path, "--seed", "\(seed)", "--after", "\(model.last)"]
                + totals, among: siblings)
    }

    /// Takes in what the process has said.
    func take(_ lines: [String], into model: inout PantryModel, _ report: inout LoopReport, _ round: Int) {
        if lines.isEmpty { report.count("killed before the first write") }
        for text in lines {
            guard let line = PantryLine(text) else {
                report.find("round \(round): the process said: \(text)")
                continue
            }
            if case .end(_, let result) = line {
                report.count("acknowledged writes")
                if result == .refused { report.count("refused and said so") }
            }
            model.take(line)
        }
    }

    /// Looks at what is left.
    func check(_ folder: URL, _ model: inout PantryModel, _ report: inout LoopReport, _ round: Int) async {
        for trouble in await Soundness.troubles(of: folder) { report.find("round \(round): \(trouble)") }
        do {
            let larder = try Larder(.folder(folder), options: Soundness.options())
            defer { larder.close() }
            let state = PantryState(of: larder)
            for finding in model.findings(in: state) { report.find("round \(round): \(finding)") }
            report.count("values checked", state.values.count)
            report.count("items checked", state.feeds.values.reduce(0) { $0 + $1.rows.count })
            model.settle(state)
        } catch {
            report.find("round \(round): the cache cannot be opened: \(error)")
        }
    }
}
