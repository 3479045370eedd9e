import Testing

@testable import LarderStress

struct LaneTests {
    private let lane = Lane(limit: 2)

    @Test func asManyAsThereIsRoomForMayRun() {
        lane.begin(1, isGivenUp: false)
        lane.begin(2, isGivenUp: false)
        #expect(lane.end(1))
        lane.begin(3, isGivenUp: false)
        #expect(lane.end(2) && lane.end(3))
        #expect(lane.most == 2)
    }

    @Test func oneMoreIsTooMany() {
        for serial in 1...3 { lane.begin(serial, isGivenUp: false) }
        #expect(![lane.end(1), lane.end(2), lane.end(3)].allSatisfy { $0 })
    }

    @Test func whatWasGivenUpTakesNoRoom() {
        lane.begin(1, isGivenUp: true)
        for serial in 2...3 { lane.begin(serial, isGivenUp: false) }
        #expect(lane.end(1) && lane.end(2) && lane.end(3))
    }

    @Test func wordOfGivingUpMayComeLate() {
        for serial in 1...3 { lane.begin(serial, isGivenUp: false) }
        #expect(lane.end(2) && lane.end(3))
        lane.giveUp(1)
        #expect(lane.end(1))
    }
}
