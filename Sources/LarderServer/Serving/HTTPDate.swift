import Foundation

extension Date {
    /// The time in the form of header fields, to the second: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
    var httpDate: String {
        formatted(Self.httpStyle)
    }

    private static let httpStyle = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
            \(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian))
}
