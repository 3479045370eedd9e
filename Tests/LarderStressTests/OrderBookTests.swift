import Testing

@testable import LarderStress

struct OrderBookTests {
    private var book = OrderBook()

    private static func value(asked: Int, serial: Int) -> Owned {
        Owned(
            asked: asked, serial: serial, owner: Owner(larder: 0, partition: "anna", generation: 1), key: "key",
            padding: "")
    }

    private let earlier = value(asked: 1, serial: 2)
    private let later = value(asked: 3, serial: 4)

    @Test mutating func afterALaterValueAnEarlierOneIsNotAllowed() {
        book.noteKept(later, on: book.footing())
        #expect(!book.allows(earlier, on: book.footing()))
        #expect(book.allows(later, on: book.footing()))
    }

    @Test mutating func whoBeganBeforeMaySeeTheEarlierOne() {
        let footing = book.footing()
        book.noteKept(later, on: footing)
        #expect(book.allows(earlier, on: footing))
    }

    @Test mutating func twoThatWereAskedForTogetherMayComeInEitherOrder() {
        book.noteKept(Self.value(asked: 2, serial: 4), on: book.footing())
        #expect(book.allows(Self.value(asked: 1, serial: 3), on: book.footing()))
    }

    @Test mutating func whatTheAppHasStoredIsTheFloor() {
        let mine = Self.value(asked: 5, serial: 6)
        book.beginStoring(mine)
        book.noteKept(mine, on: book.footing())
        #expect(book.allows(earlier, on: book.footing()))
        book.endStoring(mine, at: 9, on: book.footing())
        #expect(!book.allows(earlier, on: book.footing()))
        #expect(book.allows(mine, on: book.footing()))
    }

    @Test mutating func whileSomethingIsRemovedNothingIsClaimed() {
        book.noteKept(later, on: book.footing())
        let footing = book.footing()
        book.beginRemoving()
        #expect(book.footing() == nil)
        #expect(book.allows(earlier, on: footing))
    }

    @Test mutating func whatWasAskedForBeforeARemovalIsNotAllowedAfterIt() {
        book.beginRemoving()
        book.endRemoving(asked: 5)
        #expect(!book.allows(later, on: book.footing()))
        #expect(book.allows(Self.value(asked: 4, serial: 6), on: book.footing()))
    }

    @Test mutating func whatTheServerCallsUnchangedIsAsLateAsItsWord() {
        book.noteKept(later, on: book.footing())
        let isRight = book.renew(earlier.serial, at: 7)
        #expect(isRight)
        #expect(book.allows(earlier, on: book.footing()))
    }

    @Test mutating func whatTheAppHasChangedIsNotCalledUnchanged() {
        book.beginStoring(later)
        let isRight = book.renew(earlier.serial, at: 7)
        #expect(!isRight)
    }

    @Test mutating func aFollowerSeesNoEarlierValueNext() {
        #expect(!book.allows(earlier, after: later, on: book.footing()))
        #expect(book.allows(later, after: earlier, on: book.footing()))
    }
}
