package import Foundation

/// Dates in header fields (RFC 9110 section 5.6.7): reads the three forms in use, writes the one that is allowed.
///
/// Names of days and months and `GMT` are read in any case. Nothing else is forgiven: every blank and every digit is where
/// the grammar has it. The day of the week must be one, not the right one.
package enum HTTPDate {
    /// The time that `value` spells; blanks around it are left out of account.
    ///
    /// A year of two digits is the last with these digits that is not more than fifty years after `now`.
    package static func parse(_ value: String, now: Date) -> Date? {
        let text = value.utf8.trimmingBlanks().map(\.asciiLowercased)
        return HTTPDateReader.imfFixdate(text) ?? HTTPDateReader.rfc850Date(text, now: Moment(now))
            ?? HTTPDateReader.asctimeDate(text)
    }

    /// `date` in the form `Sun, 06 Nov 1994 08:49:37 GMT`, parts of a second left out. Dates before the year 0 and after
    /// 9999 cannot be written, and become the nearest that can.
    package static func format(_ date: Date) -> String {
        let moment = Moment(date)
        let weekday = weekdays[moment.day.weekday].prefix(3)
        let month = months[moment.day.month - 1]
        let time = [moment.second / 3600, moment.second / 60 % 60, moment.second % 60].map { padded($0, to: 2) }
        return "\(weekday), \(padded(moment.day.day, to: 2)) \(month) \(padded(moment.day.year, to: 4)) "
            + "\(time.joined(separator: ":")) GMT"
    }

    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension HTTPDate {
    /// A day, and a second of it.
    struct Moment {
        let day: CivilDate
        /// 0 to 86,400; the last is a leap second.
        let second: Int

        init(day: CivilDate, second: Int) {
            self.day = day
            self.second = second
        }

        /// The second that `date` lies in. Years before 0 and after 9999 become the first and last second of those.
        init(_ date: Date) {
            let seconds = Int(max(-62_167_219_200, min(date.timeIntervalSince1970.rounded(.down), 253_402_300_799)))
            second = (seconds % 86_400 + 86_400) % 86_400
            day = CivilDate(daysSince1970: (seconds - second) / 86_400)
        }

        var date: Date {
            Date(timeIntervalSince1970: Double(day.daysSince1970 * 86_400 + second))
        }
    }
}
