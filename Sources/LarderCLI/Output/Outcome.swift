import Foundation

/// How a command that shows one thing ends: with its text, or with the trouble in its place.
enum Outcome {
    /// - Parameters:
    ///   - command: The command's name, for what is told to a person.
    ///   - text: What to print, without the last line break.
    static func print(
        _ command: String, isJSON: Bool, _ text: () async throws -> Data
    ) async throws -> ExitCode {
        do {
            try StandardStream.output.write(try await text() + Data("\n".utf8))
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
