import Testing

@testable import LarderStress

struct FlightBookTests {
    private var book = FlightBook()

    private mutating func end(_ serial: Int, isAlone: Bool, at location: SourceLocation = #_sourceLocation) {
        let wasAlone = book.end(serial)
        #expect(wasAlone == isAlone, sourceLocation: location)
    }

    @Test mutating func oneAfterTheOtherIsWithinTheBound() {
        book.begin(10, asked: 1, isGivenUp: false)
        end(10, isAlone: true)
        book.begin(20, asked: 12, isGivenUp: false)
        end(20, isAlone: true)
        #expect(book.overlaps == 0 && book.most == 1)
    }

    @Test mutating func twoAtATimeAreAboveIt() {
        book.begin(10, asked: 1, isGivenUp: false)
        book.begin(20, asked: 12, isGivenUp: false)
        end(10, isAlone: false)
    }

    @Test mutating func whoeverEndsFirstTellsOfIt() {
        book.begin(10, asked: 1, isGivenUp: false)
        book.begin(20, asked: 12, isGivenUp: false)
        end(20, isAlone: false)
        end(10, isAlone: true)
    }

    @Test mutating func aFlightThatWasGivenUpGoesOnBesideTheNext() {
        book.begin(10, asked: 1, isGivenUp: false)
        book.giveUp(10)
        book.begin(20, asked: 12, isGivenUp: false)
        end(20, isAlone: true)
        end(10, isAlone: true)
    }

    @Test mutating func wordOfGivingUpMayComeLate() {
        book.begin(10, asked: 1, isGivenUp: false)
        book.begin(20, asked: 12, isGivenUp: false)
        book.giveUp(10)
        end(20, isAlone: true)
    }

    @Test mutating func aReaderWhoLeftMayHaveBeenTheLast() {
        book.begin(10, asked: 1, isGivenUp: false)
        book.noteLeaving(at: 11)
        book.begin(20, asked: 12, isGivenUp: false)
        end(10, isAlone: true)
    }

    @Test mutating func aReaderWhoLeftBeforeBothWasNot() {
        book.noteLeaving(at: 1)
        book.begin(10, asked: 2, isGivenUp: false)
        book.begin(20, asked: 12, isGivenUp: false)
        end(10, isAlone: false)
    }

    @Test mutating func whatWasStoredMeanwhileDetachesTheFirst() {
        book.begin(10, asked: 1, isGivenUp: false)
        book.beginDetaching()
        book.endDetaching(at: 11)
        book.begin(20, asked: 12, isGivenUp: false)
        end(10, isAlone: true)
        end(20, isAlone: true)
        #expect(book.overlaps == 1)
    }

    @Test mutating func whatIsStoredNowMayHaveDetachedIt() {
        book.beginDetaching()
        book.begin(10, asked: 1, isGivenUp: false)
        book.begin(20, asked: 12, isGivenUp: false)
        end(10, isAlone: true)
    }

    @Test mutating func whatWasStoredBeforeDetachesNothing() {
        book.beginDetaching()
        book.endDetaching(at: 1)
        book.begin(10, asked: 2, isGivenUp: false)
        book.begin(20, asked: 12, isGivenUp: false)
        end(20, isAlone: false)
    }
}
