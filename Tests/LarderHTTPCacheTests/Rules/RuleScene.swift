import Foundation
import LarderKit

@testable import LarderHTTPCache

/// Noon on the day that all tests of the rules play on, and times counted from it.
enum Noon {
    static let date = Date(timeIntervalSince1970: 1_768_478_400)
    static let text = "Thu, 15 Jan 2026 12:00:00 GMT"

    static func plus(_ seconds: Double) -> Date { date.addingTimeInterval(seconds) }

    /// As it stands in a field.
    static func text(plus seconds: Double) -> String { HTTPDate.format(plus(seconds)) }
}

extension HeaderFields {
    /// `Name: value` on each line. `{+60}` becomes the date 60 seconds after noon.
    init(lines: String) {
        self.init()
        for line in lines.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            append(
                name: parts[0].trimmingCharacters(in: .whitespaces),
                value: Self.withDates(parts[1].trimmingCharacters(in: .whitespaces)))
        }
    }

    private static func withDates(_ value: String) -> String {
        guard let start = value.firstIndex(of: "{"), let end = value.firstIndex(of: "}"),
            let seconds = Double(value[value.index(after: start)..<end])
        else { return value }
        return value[..<start] + Noon.text(plus: seconds) + value[value.index(after: end)...]
    }
}

extension HTTPRequestHead {
    static func get(_ url: String = "http://h.test/r", _ lines: String = "") -> HTTPRequestHead {
        HTTPRequestHead(url: url, headers: HeaderFields(lines: lines))
    }
}

extension StoredAnswer {
    /// An answer that came at noon.
    static func noon(
        _ lines: String, status: Int = 200, size: Int = 10, part: Part? = nil, variant: [(String, String?)] = []
    ) -> StoredAnswer {
        StoredAnswer(
            status: status, headers: HeaderFields(lines: lines),
            variant: Variant(variant.map { Variant.Field(name: $0.0, value: $0.1) }), requestedAt: Noon.date,
            receivedAt: Noon.date, size: size, part: part)
    }
}

extension ReuseContext {
    static func at(_ seconds: Double, _ kind: CacheKind = .private) -> ReuseContext {
        ReuseContext(kind: kind, now: Noon.plus(seconds))
    }
}

extension ReusePlan {
    var served: Serving? { if case .serve(let serving) = self { serving } else { nil } }
    var asked: Asking? { if case .ask(let asking) = self { asking } else { nil } }
}

extension StorePlan {
    var stored: StoredAnswer? { if case .store(let answer) = self { answer } else { nil } }
    var reason: Reason? { if case .pass(let reason) = self { reason } else { nil } }
}

extension HTTPRules {
    static func store(_ status: Int, _ lines: String, to request: HTTPRequestHead = .get(), _ context: ReuseContext)
        -> StorePlan
    {
        store(
            HTTPResponseHead(status: status, headers: HeaderFields(lines: lines)), to: request, asked: context.now,
            received: context.now, ignoredVary: [], context)
    }
}
