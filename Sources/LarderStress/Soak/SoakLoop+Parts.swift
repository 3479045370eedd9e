import Foundation
import LarderKit

extension SoakLoop {
    func play(_ role: String) async throws {
        guard let folder = options.folder else { throw LoopOptions.Mistake(description: "--folder is missing") }
        let larder = try Larder(.folder(URL(fileURLWithPath: folder, isDirectory: true)))
        let start = ContinuousClock.now
        let end = start + .seconds(options["seconds"])
        switch role {
        case "writer": try await write(larder, from: start, until: end)
        case "reader": try await read(larder, from: start, until: end)
        default: throw LoopOptions.Mistake(description: "there is no part \(role)")
        }
        larder.close()
    }

    private func write(
        _ larder: Larder, from start: ContinuousClock.Instant, until end: ContinuousClock.Instant
    ) async throws {
        let writer = options["index"]
        var memory = MemoryWatch(from: start, until: end)
        var number = 0
        while ContinuousClock.now < end {
            number += 1
            let place = SoakPlace.place(of: number, writer: writer)
            let resource = SoakPlace.resource(place, in: larder, version: number)
            do {
                try await resource.store(Sample(place, version: number, size: Sample.size(of: number)))
            } catch {
                say("a write failed: \(error)")
                number -= 1
                break
            }
            let seen = try resource.peek()?.value.version
            if seen != number { say("\(place) shows \(seen.map { "\($0)" } ?? "nothing") right after \(number)") }
            memory.look()
        }
        say("writes \(number)")
        memory.tell(say)
    }

    private func read(
        _ larder: Larder, from start: ContinuousClock.Instant, until end: ContinuousClock.Instant
    ) async throws {
        var memory = MemoryWatch(from: start, until: end)
        let places = (0..<options["writers"]).flatMap { SoakPlace.all(of: $0) }
        var latest: [String: Int] = [:]
        var reads = 0
        while ContinuousClock.now < end {
            for place in places {
                do {
                    let sample = try SoakPlace.resource(place, in: larder).peek()?.value
                    let version = sample?.version ?? 0
                    if let sample, sample.place != place || !sample.isWhole { say("\(place) shows something else") }
                    if version < latest[place] ?? 0 {
                        say("\(place) went back from \(latest[place] ?? 0) to \(version)")
                    }
                    latest[place] = version
                } catch {
                    say("a read failed: \(error)")
                }
                reads += 1
            }
            memory.look()
            await Task.yield()
        }
        say("reads \(reads)")
        memory.tell(say)
    }

    private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}

/// How much memory this process has, when it has worked for a while, and in the end.
struct MemoryWatch {
    private let warm: ContinuousClock.Instant
    private var early: Int?

    init(from start: ContinuousClock.Instant, until end: ContinuousClock.Instant) {
        warm = start + start.duration(to: end) / 4
    }

    mutating func look() {
        if early == nil, ContinuousClock.now >= warm { early = Self.resident }
    }

    func tell(_ say: (String) -> Void) {
        say("early \(early ?? Self.resident)")
        say("late \(Self.resident)")
    }

    /// KiB; 0 where the system does not tell.
    static var resident: Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
        else { return 0 }
        return line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
