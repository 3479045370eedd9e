import Foundation

/// The program: runs the cases that the command line names.
@main
struct ScenarioTool {
    static func main() async {
        let run = ScenarioRun(
            print: { FileHandle.standardOutput.write(Data($0.utf8)) },
            complain: { FileHandle.standardError.write(Data($0.utf8)) })
        exit(await run.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
