import Foundation
import LarderServer
import Testing

/// What becomes of results that nobody takes.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OutputTests {
    let scratch: Scratch
    let cache: String
    let api: StubAPI

    init() throws {
        scratch = try Scratch()
        cache = scratch.path("cache")
        api = try StubAPI(json: #"[{"id":1}]"#)
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "a device that is always full"),
        arguments: [["get"], ["get", "--json"], ["feed"], ["feed", "--json"], ["ls"], ["--help"]])
    func aResultThatDoesNotFitTheDiskIsAFailureWithItsCause(command: [String]) async throws {
        let stored = try await Tool.run("get", "--cache", cache, api.url + "/")
        #expect(stored.code == 0)
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let arguments =
            switch command.first {
            case "ls": command + ["--cache", cache]
            case "--help": command
            default: command + ["--cache", cache, api.url + "/"]
            }
        let run = try await Tool.start(arguments, output: full).end()
        #expect(run.code == (command == ["ls"] ? 3 : 74))
        #expect(run.error.contains("standard output"))
        #expect(run.error.contains(String(cString: strerror(ENOSPC))))
    }

    @Test func aResultNobodyReadsAnyMoreEndsTheToolWithoutAWord() async throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let run = try await Tool.start(
            ["feed", "--cache", cache, api.url + "/"], output: pipe.fileHandleForWriting
        ).end()
        #expect(run.code == 0)
        #expect(run.error.isEmpty)
    }

    /// The number of a closed stream is not left to the next socket: the result is in nobody's way, and what was fetched is
    /// kept.
    @Test func aClosedOutputIsLikeTheNullDevice() async throws {
        let tool = try Tool.url.path
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", #""$0" get --cache "$1" "$2" >&- 2>&-"#, tool, cache, api.url + "/"]
        let (codes, continuation) = AsyncStream.makeStream(of: Int32.self)
        shell.terminationHandler = { continuation.yield($0.terminationStatus) }
        try shell.run()
        let code = await codes.first { _ in true }
        #expect(code == 0)
        let kept = try await Tool.run("get", "--offline", "--cache", cache, api.url + "/")
        #expect(kept.text == #"[{"id":1}]"#)
    }

    @Test(arguments: ["get", "feed"])
    func theObjectHasTheMembersThatTheHelpNames(command: String) async throws {
        let run = try await Tool.run(command, "--json", "--explain", "--cache", cache, api.url + "/")
        let help = try await Tool.run("help", command)
        let section = try #require(help.text.components(separatedBy: "Members of the object").last)
        let rows = section.split(separator: "\n\n", maxSplits: 1)[0].split(separator: "\n").dropFirst()
        let named = rows.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.compactMap { row in
            row.split(separator: " ").first.map(String.init)
        }
        #expect(Set(named) == Set(try run.object().keys))
        #expect(help.text.contains("Values of error.kind:"))
    }
}
