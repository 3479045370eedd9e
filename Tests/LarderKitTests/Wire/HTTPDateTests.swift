import Foundation
import LarderKit
import Testing

@Suite("HTTP dates")
struct HTTPDateTests {
    /// 15 January 2026, 12:00:00.
    private static let now = Date(timeIntervalSince1970: 1_768_478_400)

    @Test(
        "The three forms are read, to the second",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Thu, 15 Jan 2026 12:00:00 GMT", 1_768_478_400),
            ("Wed, 16 Nov 1994 08:49:37 GMT", 784_975_777), ("Wed Nov 16 08:49:37 1994", 784_975_777),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400), ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            // A leap second is the next second.
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            // Any case, blanks around, and any day of the week.
            ("SUN, 06 NOV 1994 08:49:37 gmt", 784_111_777), ("sun nov  6 08:49:37 1994", 784_111_777),
            ("  Sun, 06 Nov 1994 08:49:37 GMT\t", 784_111_777), ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ])
    func reads(value: String, seconds: Int) {
        #expect(HTTPDate.parse(value, now: Self.now) == Date(timeIntervalSince1970: TimeInterval(seconds)))
    }

    @Test(
        "A year of two digits is never more than fifty years ahead",
        arguments: [
            ("Thursday, 15-Jan-76 12:00:00 GMT", "Wed, 15 Jan 2076 12:00:00 GMT"),
            ("Thursday, 15-Jan-76 12:00:01 GMT", "Thu, 15 Jan 1976 12:00:01 GMT"),
            ("Friday, 16-Jan-76 00:00:00 GMT", "Fri, 16 Jan 1976 00:00:00 GMT"),
            ("Saturday, 01-Jan-00 00:00:00 GMT", "Sat, 01 Jan 2000 00:00:00 GMT"),
            ("Tuesday, 31-Dec-75 00:00:00 GMT", "Tue, 31 Dec 2075 00:00:00 GMT"),
            ("Friday, 01-Jan-99 00:00:00 GMT", "Fri, 01 Jan 1999 00:00:00 GMT"),
        ])
    func fiftyYears(value: String, full: String) throws {
        let date = try #require(HTTPDate.parse(value, now: Self.now))
        #expect(HTTPDate.format(date) == full)
    }

    @Test("A year of two digits reaches into the next century, and back into the last")
    func centuries() throws {
        let late = try #require(HTTPDate.parse("Fri, 01 Jan 2088 00:00:00 GMT", now: Self.now))
        let next = try #require(HTTPDate.parse("Friday, 01-Jan-10 00:00:00 GMT", now: late))
        #expect(HTTPDate.format(next) == "Wed, 01 Jan 2110 00:00:00 GMT")
        let last = try #require(HTTPDate.parse("Friday, 01-Jan-99 00:00:00 GMT", now: late))
        #expect(HTTPDate.format(last) == "Thu, 01 Jan 2099 00:00:00 GMT")
        let before = try #require(HTTPDate.parse("Friday, 01-Jan-39 00:00:00 GMT", now: late))
        #expect(HTTPDate.format(before) == "Sat, 01 Jan 2039 00:00:00 GMT")
    }

    @Test(
        "Anything else is no date",
        arguments: [
            "", "0", "-1", "tomorrow", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37 AEST", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 +0000",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT",
            "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994  08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37  GMT",
            "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov 06 08:49:37 94",
            "Sun Nov  6 08:49:37 1994 GMT", "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 29 Feb 2023 08:49:37 GMT", "Sun, 06 Xyz 1994 08:49:37 GMT",
            "Foo, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 06 Nov 1994 23:59:61 GMT", "Sun, 06 Nov 1994 08:49:37 GMT, 0",
            "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT", "Sun, ０６ Nov 1994 08:49:37 GMT",
        ])
    func refuses(value: String) {
        #expect(HTTPDate.parse(value, now: Self.now) == nil)
    }

    @Test(
        "A date is written in the one form that is allowed",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (784_111_777.999, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (-0.5, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
            // What no header can say becomes the nearest it can.
            (1e300, "Fri, 31 Dec 9999 23:59:59 GMT"), (-1e300, "Sat, 01 Jan 0000 00:00:00 GMT"),
            (.infinity, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ])
    func writes(seconds: Double, value: String) {
        #expect(HTTPDate.format(Date(timeIntervalSince1970: seconds)) == value)
    }

    @Test("Days of four centuries are written as Foundation's calendar has them, and read back")
    func fourCenturies() throws {
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        // From 1890 to 2300, in steps that meet every day of the week, the month and the leap years.
        for day in stride(from: -29_219, to: 120_530, by: 11) {
            let date = Date(timeIntervalSince1970: TimeInterval(day) * 86_400 + 45_296)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            let weekday = weekdays[try #require(parts.weekday) - 1]
            let month = months[try #require(parts.month) - 1]
            let dayOfMonth = try #require(parts.day)
            let value =
                "\(weekday), \(dayOfMonth < 10 ? "0" : "")\(dayOfMonth) \(month) \(try #require(parts.year)) 12:34:56 GMT"
            #expect(HTTPDate.format(date) == value)
            #expect(HTTPDate.parse(value, now: Self.now) == date)
        }
    }

    @Test("A clock that shows no time at all reads and writes without a trap")
    func noTime() {
        let never = Date(timeIntervalSince1970: .nan)
        #expect(HTTPDate.format(never) == "Sat, 01 Jan 0000 00:00:00 GMT")
        #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT", now: never) != nil)
    }
}
