import Foundation

/// The program: readers in crowds, and all that can go wrong for them at once.
@main
struct StressTool {
    static func main() async {
        let command = StressCommand(
            print: { FileHandle.standardOutput.write(Data($0.utf8)) },
            complain: { FileHandle.standardError.write(Data($0.utf8)) },
            showsProgress: isatty(FileHandle.standardError.fileDescriptor) == 1)
        exit(await command.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }
}
