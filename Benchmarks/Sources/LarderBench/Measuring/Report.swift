import Foundation

/// Where figures go: a line each as they come, or all as JSON at the end.
final class Report {
    private let isJSON: Bool
    private var figures: [Figure] = []

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    func add(_ figure: Figure) {
        figures.append(figure)
        guard !isJSON else { return }
        if figures.count == 1 { print(Self.line("", "ours", "raw C", "ratio", "target", "met")) }
        print(
            Self.line(
                figure.work, Self.text(figure.ours, figure.unit), figure.raw.map { Self.text($0, figure.unit) } ?? "",
                figure.ratio.map { "x" + Self.number($0, digits: 2) } ?? "",
                figure.target.map { "x" + Self.number($0, digits: 2) } ?? "",
                figure.isMet.map { $0 ? "yes" : "no" } ?? ""))
    }

    /// Something to know about the figures around it.
    func note(_ text: String) {
        if !isJSON { print(text) }
    }

    func finish() throws {
        guard isJSON else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    }

    private static func line(
        _ work: String, _ ours: String, _ raw: String, _ ratio: String, _ target: String, _ met: String
    ) -> String {
        work.padded(to: 62) + ours.padded(to: -11) + raw.padded(to: -11) + ratio.padded(to: -8)
            + target.padded(to: -8) + met.padded(to: -5)
    }

    private static func text(_ value: Double, _ unit: Figure.Unit) -> String {
        switch unit {
        case .nanoseconds where value >= 1e7: number(value / 1e6, digits: 1) + " ms"
        case .nanoseconds: number(value / 1e3, digits: value < 1e5 ? 1 : 0) + " µs"
        case .perSecond: number(value, digits: 0) + " /s"
        case .bytes where value >= 1e6: number(value / 1e6, digits: 1) + " MB"
        case .bytes: number(value, digits: value < 100 ? 2 : 0) + " B"
        }
    }

    static func number(_ value: Double, digits: Int) -> String {
        value.formatted(
            .number.precision(.fractionLength(digits)).locale(Locale(identifier: "en_US_POSIX")).grouping(.never))
    }
}

extension String {
    /// With spaces to a width: behind the text, or before it when the width is negative.
    func padded(to width: Int) -> String {
        let space = String(repeating: " ", count: max(0, abs(width) - count))
        return width < 0 ? space + self : self + space
    }
}
