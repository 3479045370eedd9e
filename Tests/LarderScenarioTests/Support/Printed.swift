import Synchronization

@testable import LarderScenarios

/// A run whose output is kept.
final class Printed: Sendable {
    private let texts = Mutex((output: "", complaints: ""))

    var lines: [String] {
        texts.withLock { $0.output }.split(separator: "\n").map(String.init)
    }

    var complaints: String { texts.withLock { $0.complaints } }

    func run(_ arguments: String...) async -> ScenarioRun.Exit {
        let run = ScenarioRun(
            print: { text in self.texts.withLock { $0.output += text } },
            complain: { text in self.texts.withLock { $0.complaints += text } })
        return await run.run(arguments)
    }
}
