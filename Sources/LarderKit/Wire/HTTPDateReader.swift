import Foundation

/// Reads a date piece by piece, from bytes in small letters. A piece that is not there makes the whole no date.
struct HTTPDateReader {
    private var rest: ArraySlice<UInt8>

    private init(_ text: [UInt8]) {
        rest = text[...]
    }

    /// `sun, 06 nov 1994 08:49:37 gmt`
    static func imfFixdate(_ text: [UInt8]) -> Date? {
        var reader = HTTPDateReader(text)
        guard reader.name(of: HTTPDate.weekdays.map { $0.prefix(3) }) != nil, reader.skip(", "),
            let day = reader.digits(2), reader.skip(" "), let month = reader.month(), reader.skip(" "),
            let year = reader.digits(4), reader.skip(" "), let second = reader.time(), reader.skip(" gmt"),
            reader.isAtEnd
        else { return nil }
        return CivilDate(year: year, month: month, day: day).map { HTTPDate.Moment(day: $0, second: second).date }
    }

    /// `sunday, 06-nov-94 08:49:37 gmt`
    static func rfc850Date(_ text: [UInt8], now: HTTPDate.Moment) -> Date? {
        var reader = HTTPDateReader(text)
        guard reader.name(of: HTTPDate.weekdays.map { $0[...] }) != nil, reader.skip(", "),
            let day = reader.digits(2), reader.skip("-"), let month = reader.month(), reader.skip("-"),
            let shortYear = reader.digits(2), reader.skip(" "), let second = reader.time(), reader.skip(" gmt"),
            reader.isAtEnd
        else { return nil }
        let century = now.day.year / 100 * 100
        let years = [century + 100 + shortYear, century + shortYear]
        let year = years.first { year in
            (year - 50, month, day, second) <= (now.day.year, now.day.month, now.day.day, now.second)
        }
        return CivilDate(year: year ?? century - 100 + shortYear, month: month, day: day)
            .map { HTTPDate.Moment(day: $0, second: second).date }
    }

    /// `sun nov  6 08:49:37 1994`
    static func asctimeDate(_ text: [UInt8]) -> Date? {
        var reader = HTTPDateReader(text)
        guard reader.name(of: HTTPDate.weekdays.map { $0.prefix(3) }) != nil, reader.skip(" "),
            let month = reader.month(), reader.skip(" "),
            let day = reader.skip(" ") ? reader.digits(1) : reader.digits(2), reader.skip(" "),
            let second = reader.time(), reader.skip(" "), let year = reader.digits(4), reader.isAtEnd
        else { return nil }
        return CivilDate(year: year, month: month, day: day).map { HTTPDate.Moment(day: $0, second: second).date }
    }

    private var isAtEnd: Bool { rest.isEmpty }

    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest.removeFirst(text.utf8.count)
        return true
    }

    private mutating func digits(_ count: Int) -> Int? {
        guard rest.count >= count, let number = DeltaSeconds.parse(utf8: rest.prefix(count)) else { return nil }
        rest.removeFirst(count)
        return number
    }

    /// The place of the name that is due in `names`.
    private mutating func name(of names: [Substring]) -> Int? {
        let index = names.firstIndex { rest.starts(with: $0.utf8.lazy.map(\.asciiLowercased)) }
        if let index { rest.removeFirst(names[index].utf8.count) }
        return index
    }

    private mutating func month() -> Int? {
        name(of: HTTPDate.months.map { $0[...] }).map { $0 + 1 }
    }

    /// The second of the day. A leap second may follow the day's last minute, as the grammar allows.
    private mutating func time() -> Int? {
        guard let hour = digits(2), hour < 24, skip(":"), let minute = digits(2), minute < 60, skip(":"),
            let second = digits(2), second < 60 || (second == 60 && hour == 23 && minute == 59)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }
}
