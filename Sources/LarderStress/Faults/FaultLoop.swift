import Foundation
import LarderKit
import LarderTestKit

/// Tries each write on a disk of which the first operation fails, then the second, and so on until none is left to fail.
struct FaultLoop: StressLoop {
    static let name = "faults"
    static let summary = """
        Tries each write there is on a disk of which the first operation fails, then the second, and so on until the write
        completes: once or from then on, as an I/O error, as a full disk, as half a write. Checks after each that what is
        stored is as it was or as it was to be, that reads meanwhile show what was stored, and that the cache is sound.
        """
    static let numbers = [
        // All cases, or so many of them by lot.
        LoopNumber(name: "cases", standard: 1000, range: 1...1000),
        LoopNumber(name: "every", standard: 1, range: 1...1000),
    ]

    let options: LoopOptions
    /// What is tried.
    var cases = FaultCase.all

    init(_ options: LoopOptions) {
        self.options = options
    }

    /// How the disk fails.
    struct Manner: Sendable, Hashable {
        let operations: Set<DiskOperation>
        let fault: DiskFault
        let failing: DiskFailing

        static let all = [
            Manner(operations: DiskOperation.all, fault: .ioError, failing: .once),
            Manner(operations: DiskOperation.changing, fault: .ioError, failing: .fromThenOn),
            Manner(operations: DiskOperation.changing, fault: .full, failing: .once),
            Manner(operations: DiskOperation.changing, fault: .full, failing: .fromThenOn),
            Manner(operations: DiskOperation.changing, fault: .shortWrite, failing: .once),
        ]

        /// Whether what is stored can be read meanwhile.
        var canBeRead: Bool { operations == DiskOperation.changing }
    }

    func run(_ console: LoopConsole) async throws -> LoopReport {
        var report = LoopReport(Self.self, seed: options.seed)
        let starts = try await FaultStarts()
        var dice = Dice(seed: options.seed, stream: 0)
        var cases = cases
        while cases.count > options["cases"] { cases.remove(at: dice.below(cases.count)) }
        for item in cases where !console.isStopped {
            report.count("writes tried")
            let trial = try await FaultTrial(item, on: starts[item.start])
            for manner in Manner.all where !console.isStopped {
                console.progress("\(item.name), \(manner.fault), \(report.findings) findings")
                // With a step, the seed says where it begins.
                var number = 1 + dice.below(options["every"])
                while try await trial.run(number, manner, &report) { number += options["every"] }
            }
        }
        return report
    }
}
