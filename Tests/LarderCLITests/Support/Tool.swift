import Foundation
import Testing

/// The built binary, run as a process of its own.
enum Tool {
    /// How a run ended.
    struct Outcome {
        let code: Int32
        let wasKilled: Bool
        let output: Data
        let error: String

        var text: String { String(decoding: output, as: UTF8.self) }

        /// The one JSON object on standard output.
        func object(_ location: SourceLocation = #_sourceLocation) throws -> [String: Any] {
            let value = try JSONSerialization.jsonObject(with: output)
            return try #require(value as? [String: Any], sourceLocation: location)
        }
    }

    /// A run under way. Its output goes to files: nothing has to be read for it to go on.
    final class Run: Sendable {
        private let outcome: Task<Outcome, any Error>
        let id: Int32

        fileprivate init(
            _ arguments: [String], _ environment: [String: String], input: FileHandle?, output: FileHandle?,
            error: FileHandle?
        ) throws {
            let folder = try Scratch()
            let process = Process()
            process.executableURL = try Tool.url
            process.arguments = arguments
            process.environment = environment
            process.standardInput = input ?? FileHandle.nullDevice
            let file = try folder.newFile("out")
            let errors = try folder.newFile("err")
            process.standardOutput = output ?? file
            process.standardError = error ?? errors
            let (ends, continuation) = AsyncStream.makeStream(of: (Int32, Process.TerminationReason).self)
            process.terminationHandler = { process in
                continuation.yield((process.terminationStatus, process.terminationReason))
                continuation.finish()
            }
            try process.run()
            // The process has its own. Foundation's `Process` does not stand more than some 1,300 open files: it reads beyond the
            // end of the list of them.
            try file.close()
            try errors.close()
            id = process.processIdentifier
            outcome = Task {
                let end = await ends.first { _ in true }
                let (code, reason) = try #require(end)
                return Outcome(
                    code: code, wasKilled: reason == .uncaughtSignal, output: try folder.contents("out"),
                    error: String(decoding: try folder.contents("err"), as: UTF8.self))
            }
        }

        func end() async throws -> Outcome { try await outcome.value }

        func kill() { Foundation.kill(id, SIGKILL) }

        /// What Ctrl-C does.
        func interrupt() { Foundation.kill(id, SIGINT) }
    }

    /// - Parameters:
    ///   - environment: What is set beside the variables every run has: no colours, 80 columns.
    ///   - input: What standard input is; nothing else.
    ///   - output: Where standard output goes instead of the outcome.
    ///   - error: Where standard error does.
    static func start(
        _ arguments: [String], environment: [String: String] = [:], input: FileHandle? = nil,
        output: FileHandle? = nil, error: FileHandle? = nil
    ) throws -> Run {
        let basis = ["HOME": "/nonexistent", "NO_COLOR": "1", "COLUMNS": "80", "PATH": "/usr/bin:/bin"]
        return try Run(
            arguments, basis.merging(environment) { $1 }, input: input, output: output, error: error)
    }

    static func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
        try await start(arguments, environment: environment).end()
    }

    /// Beside the test bundle, where the build puts every product.
    static var url: URL {
        get throws {
            let bundles = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
            let own = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
            let folders = bundles.flatMap { [$0, $0.deletingLastPathComponent()] } + [own].compactMap { $0 }
            let files = folders.map { $0.appendingPathComponent("larder") }
            return try #require(
                files.first { FileManager.default.isExecutableFile(atPath: $0.path) && !$0.hasDirectoryPath },
                "the binary is not beside the tests: \(folders.map(\.path))")
        }
    }
}

/// A folder of a test, gone with its last reference.
final class Scratch: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("larder-cli-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    func contents(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }

    func newFile(_ name: String, _ contents: String = "") throws -> FileHandle {
        let file = url.appendingPathComponent(name)
        try Data(contents.utf8).write(to: file)
        return try FileHandle(forWritingTo: file)
    }
}
