import Testing

@testable import LarderStress

struct WatchdogTests {
    @Test func whatDoesNotReturnInTimeIsNamed() async {
        let watchdog = Watchdog(limit: .seconds(10))
        await watchdog.watching("reading", as: 1) {
            #expect(watchdog.overdue(at: .now + .seconds(9)).isEmpty)
            #expect(watchdog.overdue(at: .now + .seconds(11)).first?.hasPrefix("reading") == true)
        }
        #expect(watchdog.overdue(at: .now + .seconds(11)).isEmpty)
    }
}
