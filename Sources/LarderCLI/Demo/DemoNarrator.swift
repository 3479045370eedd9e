import Foundation
import Synchronization

/// Tells what the demo does and whether its claims hold.
///
/// State: `claims`, under its lock.
final class DemoNarrator: Sendable {
    struct Claim: Sendable, Hashable {
        let text: String
        let holds: Bool
    }

    private let isSilent: Bool
    private let terminal: Terminal
    private let claims = Mutex<[Claim]>([])

    /// - Parameter isSilent: Nothing is told before the end, which is one JSON object.
    init(isSilent: Bool, terminal: Terminal = .output) {
        self.isSilent = isSilent
        self.terminal = terminal
    }

    func heading(_ text: String) throws(StreamFailure) {
        try say("")
        try say(terminal.styled(text, .bold))
    }

    func say(_ text: String) throws(StreamFailure) {
        if !isSilent { try StandardStream.output.line(text) }
    }

    /// Tells something that must be so, and whether it is.
    func claim(_ text: String, _ holds: Bool) throws(StreamFailure) {
        claims.withLock { $0.append(Claim(text: text, holds: holds)) }
        try say((holds ? terminal.styled("  ok  ", .green) : terminal.styled("  NO  ", .red)) + text)
    }

    /// The table of what was asked of the network, and the verdict.
    func finish(_ exchanges: [Origin.Exchange]) throws(StreamFailure) -> ExitCode {
        let claims = claims.withLock { $0 }
        let broken = claims.filter { !$0.holds }
        if isSilent {
            try StandardStream.output.write(Self.json(claims, exchanges).bytes + Data("\n".utf8))
        } else {
            try heading("What was asked of the network")
            for line in Self.table(exchanges) { try say(line) }
            try say("")
            try say(
                broken.isEmpty
                    ? "All \(claims.count) claims hold. Nothing is left behind." : "\(broken.count) claims do not hold:"
            )
            for claim in broken { try say("  " + claim.text) }
        }
        return broken.isEmpty ? .success : .failure
    }

    private static func table(_ exchanges: [Origin.Exchange]) -> [String] {
        let rows =
            [("METHOD", "TARGET", "STATUS", "BYTES")]
            + exchanges.map { exchange in
                ("GET", exchange.target, exchange.status.map(String.init) ?? "refused", String(exchange.bytes))
            } + [("", Units.count(exchanges.count, "request"), "", String(exchanges.map(\.bytes).reduce(0, +)))]
        let targets = rows.map(\.1.count).max() ?? 0
        return rows.map { method, target, status, bytes in
            "  \(Printable.padded(method, to: 6))  \(Printable.padded(target, to: targets))  "
                + "\(Printable.aligned(status, to: 7))  \(Printable.aligned(bytes, to: 6))"
        }
    }

    private static func json(_ claims: [Claim], _ exchanges: [Origin.Exchange]) -> JSONText {
        .object([
            (
                "claims",
                .array(claims.map { .object([("text", .string($0.text)), ("holds", .bool($0.holds))]) })
            ),
            (
                "requests",
                .array(
                    exchanges.map { exchange in
                        .object([
                            ("method", .string("GET")), ("target", .string(exchange.target)),
                            ("status", exchange.status.json(JSONText.number)), ("bytes", .number(exchange.bytes)),
                        ])
                    })
            ),
        ])
    }
}

extension Origin.Exchange {
    /// The URL without scheme, host and port.
    var target: String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let rest = url[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }
}
