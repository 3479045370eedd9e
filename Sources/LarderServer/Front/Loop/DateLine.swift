import Foundation

/// The Date field of answers that have none, made once a second (RFC 9110 section 6.6.1).
struct DateLine {
    private var second = time_t.min
    private var bytes: [UInt8] = []

    /// The whole line.
    mutating func line(at now: time_t = time(nil)) -> [UInt8] {
        if now != second {
            second = now
            bytes = Array("Date: \(Self.text(now))\r\n".utf8)
        }
        return bytes
    }

    /// IMF-fixdate (RFC 9110 section 5.6.7).
    static func text(_ second: time_t) -> String {
        var (second, parts) = (second, tm())
        gmtime_r(&second, &parts)
        let day = days[Int(parts.tm_wday)]
        let date = "\(twoDigits(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(Int(parts.tm_year) + 1900)"
        let clock = "\(twoDigits(parts.tm_hour)):\(twoDigits(parts.tm_min)):\(twoDigits(parts.tm_sec))"
        return "\(day), \(date) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
