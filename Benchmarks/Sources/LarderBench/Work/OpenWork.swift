import CBaseline
import Foundation

/// A program from its start to its first page, beside an unwrapped Swift program that links Foundation as well.
struct OpenWork: Work {
    static let name = "open"
    static let summary = "process start to first page, of a store that holds a million items"

    let bench: Bench

    func run() async throws {
        let larder = try build("open-larder")
        let sqlite = try build("open-sqlite")
        for count in bench.isQuick ? [10_000, 100_000] : [10_000, 1_000_000] {
            let posts = try await bench.library.posts(count)
            let comparison = try await bench.meter.compare(
                "open-\(count)", rounds: 15, runs: 5,
                ours: Side { _ in _ = baseline_run_program(larder, posts.ours.folder.path) },
                raw: Side { _ in _ = baseline_run_program(sqlite, posts.raw.file.path) })
            if let comparison {
                bench.report.add(
                    .p50("process to first page of \(count.grouped) (raw: Swift)", comparison, target: 1.05))
            }
        }
    }

    /// Brings a program of this package up to date, since `swift run` builds none but the one it runs.
    ///
    /// - Returns: The path of the program, which lies beside this one.
    private func build(_ product: String) throws -> String {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
        let programs = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
            .resolvingSymlinksInPath().deletingLastPathComponent()
        let swift = Process()
        swift.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        swift.arguments = [
            "swift", "build", "--quiet", "--configuration", "release", "--product", product, "--package-path",
            package.standardizedFileURL.path, "--scratch-path",
            programs.appendingPathComponent("../..").standardizedFileURL.path,
        ]
        swift.standardOutput = FileHandle.nullDevice
        try swift.run()
        swift.waitUntilExit()
        let program = programs.appendingPathComponent(product).path
        guard swift.terminationStatus == 0, FileManager.default.isExecutableFile(atPath: program) else {
            throw BenchError("\(product) could not be built")
        }
        return program
    }
}
