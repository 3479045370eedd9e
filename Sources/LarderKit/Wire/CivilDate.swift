/// A day of the Gregorian calendar, extended to all years, and its number counted from 1 January 1970. Integers only: no
/// locale, no time zone, no formatter.
struct CivilDate: Equatable {
    let year: Int
    /// 1 to 12.
    let month: Int
    /// 1 to 31.
    let day: Int

    /// `nil` for a day that is in no calendar.
    init?(year: Int, month: Int, day: Int) {
        guard 1...12 ~= month, 1...Self.lastDay(of: month, in: year) ~= day else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    // Both ways count in eras of 400 years, which have 146,097 days each, and in years that start in March, so that the
    // leap day is a year's last. From 1 March on, 153 days in five months give every month its length.

    /// The day with this number.
    init(daysSince1970 days: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// 0 for Sunday. Day 0 was a Thursday.
    var weekday: Int {
        ((daysSince1970 + 4) % 7 + 7) % 7
    }

    private static func lastDay(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
