import Foundation
import Testing

@testable import LarderCLI

@Suite struct UnitsTests {
    @Test(
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (9_949, "9.9 kB"), (9_950, "10 kB"),
            (999_499, "999 kB"), (999_500, "1.0 MB"), (2_340_000, "2.3 MB"), (5_000_000_000, "5.0 GB"),
        ])
    func sizes(bytes: Int, text: String) {
        #expect(Units.size(bytes) == text)
    }

    @Test(
        arguments: [
            (-5.0, "0 ms"), (0.3, "300 ms"), (1, "1.0 s"), (9.99, "9.9 s"), (10, "10 s"), (119.9, "119 s"),
            (120, "2 min"), (7199, "119 min"), (7200, "2 h"), (172_799, "47 h"), (172_800, "2 days"),
        ])
    func ages(seconds: Double, text: String) {
        #expect(Units.age(.seconds(seconds)) == text)
    }

    @Test(
        arguments: [
            (0.0, "1970-01-01T00:00:00.000Z"), (1_700_000_000.123, "2023-11-14T22:13:20.123Z"),
            (1_700_000_000.999_7, "2023-11-14T22:13:21.000Z"), (-0.5, "1969-12-31T23:59:59.500Z"),
        ])
    func timesAreISO8601InUTCWithMilliseconds(seconds: Double, text: String) {
        #expect(Units.timestamp(Date(timeIntervalSince1970: seconds)) == text)
    }
}
