import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Runs what the command line asks for.
struct StressCommand: Sendable {
    /// What the process tells its parent.
    enum Exit: Int32 {
        case passed = 0
        case failed = 1
        case usage = 2
        case hang = 3
        /// Of a loop, which knows no other hang than a test's limit.
        static let couldNotRun = Exit.hang
    }

    let print: @Sendable (String) -> Void
    let complain: @Sendable (String) -> Void
    /// Whether somebody watches who wants to see how far it is.
    let showsProgress: Bool

    func run(_ arguments: [String]) async -> Exit {
        if let loop = arguments.first.flatMap({ StressLoops.named($0) }) {
            return await run(loop, Array(arguments.dropFirst()))
        }
        let options: StressOptions
        do throws(StressOptions.Mistake) {
            options = try StressOptions(arguments, seed: .random(in: 0..<1_000_000))
        } catch {
            complain("larder-stress: \(error)\n\(StressOptions.usage)")
            return .usage
        }
        guard !options.isHelp else {
            print(StressOptions.usage)
            return .passed
        }
        complain("seed \(options.size.seed)\n")
        let run = StressRun(options.size)
        let interruption = onInterruption { run.stop() }
        let progress = Task { if showsProgress { await show(run) } }
        defer {
            progress.cancel()
            interruption.cancel()
        }
        do {
            let report = try await run.run { overdue in
                complain("what has not returned:\n" + overdue.map { "  \($0)\n" }.joined())
                exit(Exit.hang.rawValue)
            }
            print(options.isJSON ? try report.json : report.description)
            return report.hasPassed ? .passed : .failed
        } catch {
            complain("larder-stress: \(error)\n")
            return .failed
        }
    }

    private func show(_ run: StressRun) async {
        let start = ContinuousClock.now
        while !Task.isCancelled {
            let ledger = run.ledger
            complain(
                "\r\(start.duration(to: .now).components.seconds) s: \(ledger.readCount) reads,"
                    + " \(ledger.requestCount) requests, \(ledger.violations.count) violations ")
            do { try await Task.sleep(for: .seconds(1)) } catch { break }
        }
        complain("\n")
    }
}
