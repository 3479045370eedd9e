import Foundation

/// How a command that shows one thing ends: with its text, or with the trouble in its place.
enum Outcome {
    /// Prints a text, and behind it the trouble that was met on the way to it.
    ///
    /// - Parameters:
    ///   - command: The command's name, for what is told to a person.
    ///   - text: What to print, without the last line break.
    static func print(
        _ command: String, isJSON: Bool, besides text: () async throws -> (Data, Trouble?)
    ) async throws -> ExitCode {
        var trouble: Trouble?
        let code = try await print(command, isJSON: isJSON) {
            let (text, met) = try await text()
            trouble = met
            return text
        }
        guard let trouble else { return code }
        try StandardStream.error.line(Terminal.error.styled("larder \(command): \(trouble.message)", .red))
        return trouble.exitCode
    }

    /// - Parameters:
    ///   - command: The command's name, for what is told to a person.
    ///   - text: What to print, without the last line break.
    static func print(
        _ command: String, isJSON: Bool, _ text: () async throws -> Data
    ) async throws -> ExitCode {
        try await printing(command, isJSON: isJSON) { try await text() + Data("\n".utf8) }
    }

    /// The same for bytes that are written as they are; only on a terminal the next prompt gets a line of its own.
    static func printExactly(_ command: String, _ bytes: () async throws -> Data) async throws -> ExitCode {
        try await printing(command, isJSON: false) {
            let bytes = try await bytes()
            return Terminal.output.isTerminal && bytes.last != 0x0A ? bytes + Data("\n".utf8) : bytes
        }
    }

    private static func printing(
        _ command: String, isJSON: Bool, _ output: () async throws -> Data
    ) async throws -> ExitCode {
        do {
            try StandardStream.output.write(try await output())
            return .success
        } catch let trouble as Trouble {
            if isJSON {
                let error = JSONText.object([("kind", .string(trouble.kind)), ("message", .string(trouble.message))])
                try StandardStream.output.write(JSONText.object([("error", error)]).bytes + Data("\n".utf8))
            }
            try StandardStream.error.line(Terminal.error.styled("larder \(command): \(trouble.message)", .red))
            return trouble.exitCode
        }
    }
}
