import Dispatch
import Foundation

@main
struct LarderBench {
    static func main() {
        Task.detached { exit(await run()) }
        // Valgrind does not survive what serving the main queue does to the first thread. A loop does not need that queue.
        while CommandLine.arguments.contains("--loop") { pause() }
        dispatchMain()
    }

    /// - Returns: The exit code.
    private static func run() async -> Int32 {
        do {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            if arguments.wantsHelp {
                print(Arguments.help)
                return 0
            }
            let report = Report(isJSON: arguments.isJSON)
            let bench = try Bench(
                meter: Meter(isQuick: arguments.isQuick, loop: arguments.loop), report: report)
            defer { bench.cleanUp() }
            let result = await Result.catching {
                for work in arguments.works { try await work.init(bench: bench).run() }
            }
            // What was measured before a work failed counts all the same.
            try report.finish()
            try result.get()
            return 0
        } catch is Meter.LoopEnded {
            return 0
        } catch {
            FileHandle.standardError.write(Data("larder-bench: \(error)\n".utf8))
            return 1
        }
    }
}

extension Result where Failure == any Error {
    fileprivate static func catching(_ body: () async throws -> Success) async -> Result {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
