import Dispatch
import Foundation
import Synchronization

/// A process that a loop has started, of this very program: what it says, and its end.
///
/// It ends when its standard input does, and so never outlives who has started it (``Child/endWithParent()``).
final class Child: Sendable {
    let id: Int32
    private let output: Task<(String, End), Never>
    private let beginning: Task<Void, Never>
    private let input: FileHandle
    private let siblings: Children

    struct End: Sendable, Hashable {
        let status: Int32
        let isBySignal: Bool

        var isKill: Bool { isBySignal && status == SIGKILL }
    }

    /// - Parameter tool: The program.
    init(_ tool: URL, _ arguments: [String], among siblings: Children) throws {
        let process = Process()
        process.executableURL = tool
        process.arguments = arguments
        // A trap is to end it, and not to start another process that looks at it.
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        beginning = Task { for await _ in begins {} }
        let (ends, end) = AsyncStream.makeStream(of: End.self)
        process.terminationHandler = { process in
            end.yield(End(status: process.terminationStatus, isBySignal: process.terminationReason == .uncaughtSignal))
            end.finish()
        }
        try process.run()
        id = process.processIdentifier
        self.input = input.fileHandleForWriting
        self.siblings = siblings
        siblings.add(id)
        let reading = output.fileHandleForReading
        self.output = Task { [id] in
            // On a thread of its own, since it blocks.
            let text = await withCheckedContinuation { continuation in
                DispatchQueue(label: "larder-stress.child").async {
                    var bytes = Data()
                    while true {
                        let more = reading.availableData
                        begin.finish()
                        guard !more.isEmpty else { break }
                        bytes += more
                    }
                    continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
                }
            }
            let end = await ends.first { _ in true }
            siblings.remove(id)
            return (text, end ?? End(status: -1, isBySignal: false))
        }
    }

    func kill() { siblings.kill(id) }

    /// Lets it end by itself.
    func release() { try? input.close() }

    /// Waits until it has written something, or has ended.
    func begins() async { await beginning.value }

    /// All whole lines that it has written, once it has ended.
    func lines() async -> [String] {
        let text = await output.value.0
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        // What does not end in a line's end was cut.
        lines.removeLast()
        return lines
    }

    func end() async -> End { await output.value.1 }

    /// To be called by the process that was started.
    static func endWithParent() {
        let thread = Thread {
            while let bytes = try? FileHandle.standardInput.read(upToCount: 1), !bytes.isEmpty {}
            exit(0)
        }
        thread.start()
    }

    /// This very program.
    static var ownTool: URL {
        Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments.first ?? "larder-stress")
    }
}

/// The processes of a loop that have not ended.
final class Children: Sendable {
    private let ids = Mutex<Set<Int32>>([])

    func add(_ id: Int32) { ids.withLock { _ = $0.insert(id) } }
    func remove(_ id: Int32) { ids.withLock { _ = $0.remove(id) } }

    /// Kills one that is known not to have been waited for: its number is nobody else's yet.
    func kill(_ id: Int32) { ids.withLock { if $0.contains(id) { Foundation.kill(id, SIGKILL) } } }

    func killAll() { ids.withLock { for id in $0 { Foundation.kill(id, SIGKILL) } } }

    var count: Int { ids.withLock { $0.count } }
}
