import Foundation

@main
struct LarderBench {
    static func main() async {
        do {
            let arguments = try Arguments(CommandLine.arguments.dropFirst())
            if arguments.wantsHelp { return print(Arguments.help) }
            let bench = try Bench(
                meter: Meter(isQuick: arguments.isQuick, loop: arguments.loop), report: Report(isJSON: arguments.isJSON)
            )
            defer { bench.cleanUp() }
            for work in arguments.works { try await work.init(bench: bench).run() }
            try bench.report.finish()
        } catch {
            FileHandle.standardError.write(Data("larder-bench: \(error)\n".utf8))
            exit(1)
        }
    }
}
