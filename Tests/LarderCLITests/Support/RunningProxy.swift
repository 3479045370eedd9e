import Foundation
import LarderKit
import LarderServer
import Testing

/// `larder proxy` as a process of its own, on a free port.
struct RunningProxy {
    let url: String
    private let run: Tool.Run
    private let client = CurlClient(CurlClient.Options(redirectLimit: 0, decodesBodies: false))

    /// Returns when it listens, which it says on standard error.
    init(_ arguments: [String], cache: String) async throws {
        let pipe = Pipe()
        run = try Tool.start(
            ["proxy", "--cache", cache, "--listen", "127.0.0.1:0"] + arguments, error: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        let reading = pipe.fileHandleForReading
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            var text = ""
            // To the end, or the process would wait for somebody to read.
            while true {
                let data = reading.availableData
                guard !data.isEmpty else { break }
                text += String(decoding: data, as: UTF8.self)
                if text.contains("\n") { continuation.yield(text) }
            }
            continuation.finish()
        }
        let greeting = await lines.first { _ in true }
        let match = greeting?.firstMatch(of: /at (http:\/\/127\.0\.0\.1:\d+)/)
        if match == nil { run.kill() }
        url = String(try #require(match?.1, "\(greeting ?? "")"))
    }

    func get(_ path: String, headers: HeaderFields = [:]) async throws -> RawAnswer {
        try await client.send(url: url + path, headers: headers, timeout: .seconds(60))
    }

    /// The same, and returns when what came is stored: a client has its last byte a moment before.
    func fetch(_ path: String) async throws -> RawAnswer {
        let answer = try await get(path)
        while try await !get("/.larder/status").text.contains("\"underWay\":0") { await Task.yield() }
        return answer
    }

    /// What Ctrl-C does.
    func end() async throws -> Tool.Outcome {
        run.interrupt()
        return try await run.end()
    }
}

extension RawAnswer {
    var text: String { String(decoding: body, as: UTF8.self) }
    var cacheStatus: String { headers["Cache-Status"] ?? "" }
}
