/// A subcommand of the tool.
///
/// To add one: write a type that conforms, and name it in ``CommandRegistry/standard``. Help, completion of mistakes and
/// exit codes follow from the declaration.
///
/// ```swift
/// struct ListCommand: Command {
///     private static let cache = Option.value("cache", "DIR", help: "the larder's folder")
///     static let spec = CommandSpec("ls", summary: "List what is stored", options: [cache])
///
///     private let folder: String?
///
///     init(_ arguments: ParsedArguments) throws {
///         folder = arguments[Self.cache]
///     }
///
///     func run() async throws -> ExitCode { … }
/// }
/// ```
protocol Command: Sendable {
    static var spec: CommandSpec { get }

    /// Takes what it needs from the command line.
    ///
    /// - Throws: ``UsageError`` for values that make no sense.
    init(_ arguments: ParsedArguments) throws

    /// Does the work. Results go to standard output, remarks to standard error.
    ///
    /// - Throws: ``CommandFailure`` for a message and an exit code of its own; any other error is shown, and the exit
    ///   code is ``ExitCode/unexpected``.
    func run() async throws -> ExitCode
}

/// What a command declares about itself.
struct CommandSpec: Sendable {
    let name: String
    /// One line, for the list of commands.
    let summary: String
    /// What else there is to know, as paragraphs.
    let details: String
    /// All options, those of ``groups`` among them.
    let options: [Option]
    /// Options that belong together, for commands that have many.
    let groups: [OptionGroup]
    let positionals: [Positional]
    /// What is best told in two columns before the options: what the arguments may be.
    let guides: [Table]
    /// What is best told in two columns behind them.
    let tables: [Table]
    let examples: [Example]
    let exitCodes: ExitCodeFamily

    init(
        _ name: String, summary: String, details: String = "", options: [Option] = [], groups: [OptionGroup] = [],
        positionals: [Positional] = [], guides: [Table] = [], tables: [Table] = [], examples: [Example] = [],
        exitCodes: ExitCodeFamily = .asking
    ) {
        self.name = name
        self.summary = summary
        self.details = details
        self.options = options + groups.flatMap(\.options)
        self.groups = groups
        self.positionals = positionals
        self.guides = guides
        self.tables = tables
        self.examples = examples
        self.exitCodes = exitCodes
    }

    struct OptionGroup: Sendable {
        let title: String
        let options: [Option]

        init(_ title: String, _ options: [Option]) {
            self.title = title
            self.options = options
        }
    }

    struct Table: Sendable {
        let title: String
        let rows: [(name: String, meaning: String)]
    }

    struct Example: Sendable {
        /// Without the tool's name.
        let arguments: String
        let purpose: String

        init(_ arguments: String, _ purpose: String) {
            self.arguments = arguments
            self.purpose = purpose
        }
    }
}

/// Why a command could not do its work: a sentence for the user, and the exit code.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String
    let exitCode: ExitCode

    init(_ description: String, exitCode: ExitCode = .failure) {
        self.description = description
        self.exitCode = exitCode
    }
}

/// What is wrong with a command line, with the way out.
struct UsageError: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
