/// The commands of the tool, and what a command line asks of them.
struct CommandRegistry: Sendable {
    let tool: String
    let about: String
    let version: String
    /// In the order the help shows them.
    let commands: [any Command.Type]

    /// What a command line comes to.
    enum Decision {
        /// A command, ready to run.
        case run(any Command)
        /// A text for standard output; all is well.
        case show(String)
        /// A text for standard error; the exit code is ``ExitCode/usage``, in the numbers of the command that was meant.
        case refuse(String, ExitCodeFamily)
    }

    /// Decides what `arguments` (without the program's name) ask for. Does nothing of it yet.
    ///
    /// - Parameter width: The columns help may take.
    func decide(_ arguments: [String], width: Int = 80) -> Decision {
        let help = HelpText(tool: tool, width: width)
        let overview = help.overview(of: commands.map { $0.spec }, about: about)
        guard let first = arguments.first else { return .refuse(overview, .asking) }
        switch first {
        case "-h", "--help": return .show(overview)
        case "--version": return .show("\(tool) \(version)\n")
        case "help":
            guard let name = arguments.dropFirst().first, !name.hasPrefix("-") else { return .show(overview) }
            guard let command = command(named: name) else { return .refuse(unknown(name), .asking) }
            return .show(help.page(for: command.spec))
        default:
            guard let command = command(named: first) else { return .refuse(unknown(first), .asking) }
            return decide(command, Array(arguments.dropFirst()), help)
        }
    }

    private func decide(_ command: any Command.Type, _ arguments: [String], _ help: HelpText) -> Decision {
        let spec = command.spec
        // Help is given whatever else is wrong with the line.
        if arguments.prefix(while: { $0 != "--" }).contains(where: { ["-h", "--help"].contains($0) }) {
            return .show(help.page(for: spec))
        }
        do {
            return .run(try command.init(ArgumentParser(spec: spec).parse(arguments)))
        } catch {
            let text = "\(tool) \(spec.name): \(error)\n'\(tool) help \(spec.name)' shows what it takes.\n"
            return .refuse(text, spec.exitCodes)
        }
    }

    private func command(named name: String) -> (any Command.Type)? {
        commands.first { $0.spec.name == name }
    }

    private func unknown(_ name: String) -> String {
        let kind = name.hasPrefix("-") ? "option" : "command"
        let known = commands.map { $0.spec.name } + ["help", "--help", "--version"]
        let hint = Suggestion.nearest(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
        return "\(tool): unknown \(kind) '\(name)'\(hint)\n'\(tool) --help' lists what there is.\n"
    }
}
