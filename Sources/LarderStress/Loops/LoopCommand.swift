import Dispatch
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Runs a loop as the command line asks for it.
extension StressCommand {
    func run(_ loop: any StressLoop.Type, _ arguments: [String]) async -> Exit {
        let options: LoopOptions
        do throws(LoopOptions.Mistake) {
            options = try LoopOptions(arguments, of: loop.numbers, seed: .random(in: 0..<1_000_000))
        } catch {
            complain("larder-stress \(loop.name): \(error)\n\(LoopOptions.usage(of: loop))")
            return .usage
        }
        guard !options.isHelp else {
            print(LoopOptions.usage(of: loop))
            return .passed
        }
        do {
            if let role = options.role {
                Child.endWithParent()
                try await loop.init(options).play(role)
                return .passed
            }
            complain("seed \(options.seed)\n")
            let console = LoopConsole(showsProgress: showsProgress, complain: complain)
            let interruption = onInterruption { console.stop() }
            defer {
                interruption.cancel()
                console.children.killAll()
            }
            let report = try await loop.init(options).run(console)
            console.endProgress()
            print(options.isJSON ? try report.json : report.description)
            return report.hasPassed ? .passed : .failed
        } catch {
            complain("larder-stress \(loop.name): \(error)\n")
            return .couldNotRun
        }
    }

    /// Ctrl-C ends the run, the second time at once.
    func onInterruption(_ stop: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            stop()
            signal(SIGINT, SIG_DFL)
        }
        source.resume()
        return source
    }
}
