import Foundation
import LarderKit
import LarderServer

/// `larder demo`: a cache at work, against a server in this process that comes and goes.
struct DemoCommand: Command {
    private static let json = Option.flag("json", help: "print what was checked and what was asked as one JSON object")

    static let spec = CommandSpec(
        "demo", summary: "See the cache at work: online, offline, and back, in a few seconds",
        details: """
            Starts the sample API on a free port of this machine and fills a cache in a temporary folder: a document, and \
            a feed that is paged through. Lets new posts pile up, so that a gap appears; stops the server and reads \
            everything again; starts it once more and catches up with one small request. Each claim it makes is checked: \
            the exit code is 0 only when all of them hold. Nothing is left behind.
            """,
        options: [json])

    let isJSON: Bool

    init(_ arguments: ParsedArguments) throws {
        isJSON = arguments.has(Self.json)
    }

    func run() async throws -> ExitCode {
        let isJSON = isJSON
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("larder-demo-\(UUID().uuidString.prefix(8))", isDirectory: true)
        let code = try await Interruption.cancelling {
            defer { try? FileManager.default.removeItem(at: folder) }
            let narrator = DemoNarrator(isSilent: isJSON)
            let demo = try Demo(folder: folder, narrator: narrator)
            defer { demo.end() }
            do {
                try await demo.run()
            } catch let error as LarderError {
                try Task.checkCancellation()
                throw CommandFailure("the demo could not go on: \(error)")
            }
            return try narrator.finish(demo.exchanges)
        }
        guard !FileManager.default.fileExists(atPath: folder.path) else {
            throw CommandFailure("the demo's folder \(folder.path) could not be removed; delete it by hand")
        }
        return code
    }
}
