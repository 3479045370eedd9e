import Testing

@testable import LarderStress

struct FlightBookTests {
    private var book = FlightBook()

    private mutating func begin(_ serial: Int, asked: Int) {
        _ = book.begin(serial, asked: asked, isGivenUp: false)
    }

    private mutating func end(_ serial: Int, isAlone: Bool, at location: SourceLocation = #_sourceLocation) {
        let wasAlone = book.end(serial)
        #expect(wasAlone == isAlone, sourceLocation: location)
    }

    @Test mutating func oneAfterTheOtherIsWithinTheBound() {
        begin(10, asked: 1)
        end(10, isAlone: true)
        begin(20, asked: 12)
        end(20, isAlone: true)
    }

    @Test mutating func twoAtATimeAreAboveIt() {
        begin(10, asked: 1)
        begin(20, asked: 12)
        end(10, isAlone: false)
    }

    @Test mutating func whoeverEndsFirstTellsOfIt() {
        begin(10, asked: 1)
        begin(20, asked: 12)
        end(20, isAlone: false)
        end(10, isAlone: true)
    }

    @Test mutating func aFlightThatWasGivenUpGoesOnBesideTheNext() {
        begin(10, asked: 1)
        book.giveUp(10)
        begin(20, asked: 12)
        end(20, isAlone: true)
        end(10, isAlone: true)
    }

    @Test mutating func wordOfGivingUpMayComeLate() {
        begin(10, asked: 1)
        begin(20, asked: 12)
        book.giveUp(10)
        end(20, isAlone: true)
    }

    @Test mutating func aReaderWhoLeftMayHaveBeenTheLast() {
        begin(10, asked: 1)
        book.noteLeaving(at: 11)
        begin(20, asked: 12)
        end(10, isAlone: true)
    }

    @Test mutating func aReaderWhoLeftBeforeBothWasNot() {
        book.noteLeaving(at: 1)
        begin(10, asked: 2)
        begin(20, asked: 12)
        end(10, isAlone: false)
    }

    @Test mutating func whatWasStoredMeanwhileDetachesTheFirst() {
        begin(10, asked: 1)
        book.beginDetaching()
        book.endDetaching(at: 11)
        begin(20, asked: 12)
        end(10, isAlone: true)
        end(20, isAlone: true)
    }

    @Test mutating func whatIsStoredNowMayHaveDetachedIt() {
        book.beginDetaching()
        begin(10, asked: 1)
        begin(20, asked: 12)
        end(10, isAlone: true)
    }

    @Test mutating func whatWasStoredBeforeDetachesNothing() {
        book.beginDetaching()
        book.endDetaching(at: 1)
        begin(10, asked: 2)
        begin(20, asked: 12)
        end(20, isAlone: false)
    }
}
