import Foundation
import Testing

@testable import LarderKit

@Suite struct StampSourceTests {
    private let noon = Date(timeIntervalSince1970: 1_768_478_400)

    @Test func `stamps grow whatever the wall clock does`() {
        let stamps = StampSource()
        let offsets: [TimeInterval] = [0, 0, 1, -172_800, 0, 31_536_000, -31_536_000, -.infinity, .infinity, .nan, 0]
        let orders = offsets.map { stamps.next(at: noon + $0).order }
        for (earlier, later) in zip(orders, orders.dropFirst()) { #expect(earlier < later) }
    }

    @Test func `a stamp tells the wall time it was made at, to the millisecond`() {
        let stamps = StampSource()
        #expect(stamps.next(at: noon).at == 1_768_478_400_000)
        #expect(stamps.next(at: noon - 172_800.5).at == 1_768_478_400_000 - 172_800_500)
        #expect(stamps.next(at: noon).lifetime == nil)
    }

    @Test func `stamps of two processes compare by wall time`() {
        let (one, other) = (StampSource(), StampSource())
        let first = one.next(at: noon)
        let second = other.next(at: noon + 0.001)
        let third = one.next(at: noon + 0.002)
        #expect(first < second)
        #expect(second < third)
    }

    @Test func `also within one millisecond`() {
        let (one, other) = (StampSource(), StampSource())
        let offsets = [0, 0.000_2, 0.000_4, 0.000_6, 0.000_8]
        let stamps = offsets.enumerated().map { ($0.isMultiple(of: 2) ? one : other).next(at: noon + $1).order }
        #expect(stamps == stamps.sorted() && Set(stamps).count == stamps.count)
        #expect(stamps[4] - stamps[0] == 800)
    }

    @Test func `a stamp is later than what is stored, also when that was written in the future`() {
        let stamps = StampSource()
        let future = StampSource().next(at: noon + 31_536_000).order
        #expect(stamps.next(at: noon, after: future).order == future + 1)
        #expect(stamps.next(at: noon, after: 5).order == future + 2)
    }

    @Test(arguments: [Int64.max, .max - 1, .min])
    func `a damaged stamp in the store is no trap`(stored: Int64) {
        let stamps = StampSource()
        let next = stamps.next(at: noon, after: stored).order
        #expect(next > stored || next == .max)
        #expect(stamps.next(at: noon).order >= next)
    }

    @Test func `many tasks never draw the same stamp`() async {
        let stamps = StampSource()
        let orders = await withTaskGroup { group in
            for number in 0..<50 {
                group.addTask { [noon] in
                    (0..<200).map { stamps.next(at: noon + Double(number % 3 - $0)).order }
                }
            }
            return await group.reduce(into: [[Int64]]()) { $0.append($1) }
        }
        #expect(Set(orders.joined()).count == 10_000)
        for own in orders { #expect(own == own.sorted()) }
    }

    @Test func `milliseconds are held within what can be counted`() {
        #expect(Date(timeIntervalSince1970: .infinity).millisecondsSince1970 == 4_000_000_000_000_000)
        #expect(Date(timeIntervalSince1970: -.infinity).millisecondsSince1970 == -4_000_000_000_000_000)
        #expect(Date(timeIntervalSince1970: .nan).millisecondsSince1970 == 0)
        #expect(Date(millisecondsSince1970: -1).millisecondsSince1970 == -1)
        #expect(Duration.milliseconds(1500).milliseconds == 1500)
        #expect(Duration.microseconds(999).milliseconds == 0)
        #expect(Duration.seconds(-2).milliseconds == -2000)
        for seconds in [Int64.max, .min, .max / 1000, .min / 1000, 9_223_372_036_854_775] {
            let milliseconds = Duration(secondsComponent: seconds, attosecondsComponent: 0).milliseconds
            #expect((milliseconds < 0) == (seconds < 0))
            #expect(!milliseconds.addingReportingOverflow(milliseconds).overflow)
        }
        #expect((.seconds(9_223_372_036_854_775) + .milliseconds(999)).milliseconds > 0)
    }
}
