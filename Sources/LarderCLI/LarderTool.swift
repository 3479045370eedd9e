import Foundation

/// The program: decides what the command line asks for, does it, and tells the exit code.
@main
struct LarderTool {
    static func main() async {
        StandardStream.prepare()
        let arguments = Array(CommandLine.arguments.dropFirst())
        let decision = CommandRegistry.standard.decide(arguments, width: min(Terminal.output.width, 100))
        exit(decision.exitCodes.number(of: await run(decision)))
    }

    private static func run(_ decision: CommandRegistry.Decision) async -> ExitCode {
        do throws(StreamFailure) {
            switch decision {
            case .show(let text):
                try StandardStream.output.write(text)
                return .success
            case .refuse(let text, _):
                try StandardStream.error.write(text)
                return .usage
            case .run(let command):
                return try await run(command)
            }
        } catch {
            guard case .failed(let cause) = error else { return .success }
            try? StandardStream.error.line("larder: standard output cannot be written and is not whole: \(cause)")
            return .storage
        }
    }

    private static func run(_ command: any Command) async throws(StreamFailure) -> ExitCode {
        do {
            return try await command.run()
        } catch let failure as StreamFailure {
            throw failure
        } catch {
            try StandardStream.error.line("larder \(type(of: command).spec.name): \(error)")
            return (error as? CommandFailure)?.exitCode ?? .unexpected
        }
    }
}

extension CommandRegistry.Decision {
    /// In whose numbers the exit code is told.
    fileprivate var exitCodes: ExitCodeFamily {
        switch self {
        case .run(let command): type(of: command).spec.exitCodes
        case .refuse(_, let family): family
        case .show: .asking
        }
    }
}
