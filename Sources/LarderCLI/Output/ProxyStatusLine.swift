import Foundation
import LarderServer

/// What a proxy has done, on one line of a terminal, written anew each second.
final class ProxyStatusLine: Sendable {
    private let line: ProgressLine
    private let task: Task<Void, Never>

    init(_ proxy: CachingProxy, on line: ProgressLine) {
        self.line = line
        task = Task {
            // Where nobody sees it there is nothing to do.
            guard line.isShown else { return }
            while !Task.isCancelled {
                line.show(Self.summary(proxy.current))
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    func end() {
        task.cancel()
        line.clear()
    }

    static func summary(_ facts: ProxyFacts) -> String {
        let counts = facts.counts
        let count = counts.requests - (counts.results[.own] ?? 0)
        guard count > 0 else { return "No requests." }
        let stale = counts.results[.stale] ?? 0
        let failed = counts.results[.failed] ?? 0
        var words = [
            Units.count(count, "request"), "\(100 * counts.served / count) % from the cache",
            "\(counts.originRequests) sent to origins",
        ]
        if stale > 0 { words.append("\(stale) served stale or offline") }
        if failed > 0 { words.append("\(failed) failed") }
        return words.joined(separator: ", ") + "."
    }
}
