import Foundation

/// Quantities as people read them, and as programs do.
enum Units {
    /// `512 bytes`, `1.2 kB`, `34 MB`: powers of a thousand.
    static func size(_ bytes: Int) -> String {
        guard bytes >= 1000 else { return count(bytes, "byte") }
        var amount = Double(bytes) / 1000
        var unit = 0
        while amount >= 999.5, unit < units.count - 1 {
            amount /= 1000
            unit += 1
        }
        return (amount < 9.95 ? oneDecimal(amount) : String(Int(amount.rounded()))) + " " + units[unit]
    }

    /// `300 ms`, `4.2 s`, `12 s`, `3 min`, `2 h`, `5 days`, rounded down.
    static func age(_ age: Duration) -> String {
        let seconds = max(0, age / .seconds(1))
        return switch seconds {
        case ..<1: "\(Int(seconds * 1000)) ms"
        case ..<10: oneDecimal((seconds * 10).rounded(.down) / 10) + " s"
        case ..<120: "\(Int(seconds)) s"
        case ..<7200: "\(Int(seconds / 60)) min"
        case ..<172_800: "\(Int(seconds / 3600)) h"
        default: "\(Int(seconds / 86_400)) days"
        }
    }

    /// `1 item`, `3 items`.
    static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// ISO 8601 in UTC with milliseconds: `2026-01-31T12:00:00.250Z`.
    static func timestamp(_ date: Date) -> String {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded())
        let fraction = (milliseconds % 1000 + 1000) % 1000
        // Whole seconds only: the formatter's own fraction is cut, not rounded.
        let second = Date(timeIntervalSince1970: Double((milliseconds - fraction) / 1000))
        let text = second.formatted(.iso8601)
        let digits = String(fraction)
        return text.dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
    }

    /// Whole milliseconds as a decimal number of seconds: `12.045`.
    static func seconds(_ duration: Duration) -> String {
        let milliseconds = Int64((duration / .milliseconds(1)).rounded())
        return String(Double(milliseconds) / 1000)
    }

    private static let units = ["kB", "MB", "GB", "TB"]

    private static func oneDecimal(_ amount: Double) -> String {
        String((amount * 10).rounded() / 10)
    }
}
