import Testing

@testable import LarderCLI

@Suite struct ParsedArgumentsTests {
    static let option = Option.value("size", "N", help: "")

    private func given(_ text: String) -> ParsedArguments {
        var parsed = ParsedArguments()
        parsed.add(Self.option, text)
        return parsed
    }

    @Test func aWholeNumberLiesInItsRange() throws {
        #expect(try given("8").int(Self.option, in: 1...8) == 8)
        #expect(try given("-8").int(Self.option) == -8)
        #expect(try ParsedArguments().int(Self.option) == nil)
    }

    @Test(arguments: [
        ("9", 1...8, "a whole number from 1 to 8"), ("x", 1...Int.max, "a whole number of at least 1"),
        ("1.5", Int.min...4, "a whole number of at most 4"), ("", Int.min...Int.max, "a whole number"),
        ("99999999999999999999", Int.min...Int.max, "a whole number"),
    ])
    func anotherNumberIsRefusedWithTheRange(text: String, range: ClosedRange<Int>, wording: String) {
        let error = #expect(throws: UsageError.self) { try given(text).int(Self.option, in: range) }
        #expect(error?.description == "--size takes \(wording), not '\(text)'")
    }

    @Test(arguments: [
        ("3", Duration.seconds(3)), ("3s", .seconds(3)), ("0", .zero), ("500ms", .milliseconds(500)),
        ("2m", .seconds(120)), ("1.5h", .seconds(5400)), ("7d", .seconds(604_800)), (".5", .milliseconds(500)),
    ])
    func aTimeHasAUnitOrIsSeconds(text: String, duration: Duration) throws {
        #expect(try given(text).duration(Self.option) == duration)
    }

    @Test(arguments: ["", "s", "-3", "3 s", "3x", "three", "1e3", "inf", "nan", "1..2", "٣", "99999999999999999999"])
    func whatIsNoTimeIsRefused(text: String) {
        #expect(throws: UsageError.self) { try given(text).duration(Self.option) }
    }

    @Test(arguments: [
        ("0", 0), ("5000000", 5_000_000), ("200MB", 200_000_000), ("200mb", 200_000_000), ("200 MB", 200_000_000),
        ("1.5GB", 1_500_000_000), ("64MiB", 64 << 20), ("64MIB", 64 << 20), ("1kB", 1000), ("1KiB", 1024),
        ("1TB", 1_000_000_000_000), ("2G", 2_000_000_000), ("0.5k", 500), ("7b", 7),
    ])
    func aSizeHasAUnitOrIsBytes(text: String, size: Int) throws {
        #expect(try given(text).size(Self.option) == size)
    }

    @Test(arguments: [
        "", "MB", "-1", "-1MB", "1XB", "MB200", "1e3", "inf", "nan", "1..2", "٣", "1  MB", "9999999TB",
        "99999999999999999999999999", "1MBB",
    ])
    func whatIsNoSizeIsRefused(text: String) {
        let error = #expect(throws: UsageError.self) { try given(text).size(Self.option) }
        #expect(error?.description.contains("200MB") == true)
    }

    enum Mode: String, CaseIterable {
        case cacheFirst = "cache-first"
        case networkFirst = "network-first"
    }

    @Test func aChoiceIsOneOfTheCases() throws {
        #expect(try given("network-first").choice(Self.option, of: Mode.self) == .networkFirst)
        #expect(try ParsedArguments().choice(Self.option, of: Mode.self) == nil)
        let error = #expect(throws: UsageError.self) { try given("cash-first").choice(Self.option, of: Mode.self) }
        #expect(
            error?.description
                == "--size takes cache-first, network-first, not 'cash-first'; did you mean cache-first?")
    }
}
