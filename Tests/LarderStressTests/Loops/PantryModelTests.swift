import Testing

@testable import LarderStress

/// What the loops know of the work they look at: a fault that is planted has to be found.
struct PantryModelTests {
    private let place = "anna/db/0"

    private func model(_ lines: PantryLine...) -> PantryModel {
        var model = PantryModel()
        for line in lines { model.take(line) }
        return model
    }

    private func state(_ version: Int) -> PantryState {
        PantryState(values: [place: .version(version)], feeds: [:])
    }

    private func findings(_ model: PantryModel, _ version: Int, forgets: Bool = false) -> Int {
        model.findings(in: state(version), forgets: forgets).count
    }

    // MARK: Values

    @Test func whatWasDoneIsThere() {
        let model = model(.begin(1, .store(place)), .end(1, .done))
        #expect(findings(model, 1) == 0)
        // A store that loses a write.
        #expect(findings(model, 0) == 1)
    }

    @Test func whatWasBegunMayBeThere() {
        let model = model(.begin(1, .store(place)), .end(1, .done), .begin(2, .store(place)))
        #expect(findings(model, 1) == 0 && findings(model, 2) == 0)
        #expect(findings(model, 0) == 1 && findings(model, 3) == 1)
    }

    @Test func whatWasReplacedDoesNotComeBack() {
        let model = model(
            .begin(1, .store(place)), .end(1, .done), .begin(2, .store(place)), .end(2, .done))
        #expect(findings(model, 1) == 1)
    }

    @Test func whatWasRefusedIsAsItWas() {
        let model = model(.begin(1, .store(place)), .end(1, .done), .begin(2, .store(place)), .end(2, .refused))
        #expect(findings(model, 1) == 0)
    }

    @Test func whatWasRemovedIsGone() {
        let model = model(.begin(1, .store(place)), .end(1, .done), .begin(2, .remove(place)), .end(2, .done))
        #expect(findings(model, 0) == 0 && findings(model, 1) == 1)
    }

    @Test func whoeverSignedOutLeavesNothing() {
        let stored = [PantryLine.begin(1, .store("bob/db/0")), .end(1, .done)]
        var model = PantryModel()
        for line in stored + [.begin(2, .signOut("bob"))] { model.take(line) }
        let left = PantryState(values: ["bob/db/0": .version(1)], feeds: [:])
        #expect(model.findings(in: left) == [])
        model.take(.end(2, .done))
        #expect(model.findings(in: left).count == 1)
    }

    @Test func whatWasFoundIsWhatCounts() {
        var model = model(.begin(1, .store(place)), .end(1, .done), .begin(2, .store(place)))
        model.settle(state(1))
        // It did not happen, and does not later.
        #expect(findings(model, 2) == 1)
    }

    @Test func aWriteThatFailsOnAHealthyDiskIsFound() {
        #expect(findings(model(.begin(1, .store(place)), .end(1, .failed("x"))), 0) == 1)
    }

    @Test func aPowerLossMayForgetAndNotInvent() {
        let model = model(
            .begin(1, .store(place)), .end(1, .done), .begin(2, .store(place)), .end(2, .done))
        #expect((0...2).allSatisfy { findings(model, $0, forgets: true) == 0 })
        #expect(findings(model, 3, forgets: true) > 0)
    }

    @Test func aPowerLossLeavesOneMoment() {
        let other = "anna/db/1"
        let model = model(
            .begin(1, .store(place)), .end(1, .done), .begin(2, .store(other)), .end(2, .done))
        let moments = [(0, 0), (1, 0), (1, 2)]
        for (first, second) in moments {
            let state = PantryState(values: [place: .version(first), other: .version(second)], feeds: [:])
            #expect(model.findings(in: state, forgets: true) == [])
        }
        let mixed = PantryState(values: [place: .version(0), other: .version(2)], feeds: [:])
        #expect(model.findings(in: mixed, forgets: true).count == 1)
    }

    @Test func whatCannotBeReadIsFound() {
        let damaged = PantryState(
            values: [place: .unreadable(.init(text: "damaged", isDamage: true))], feeds: [:])
        #expect(PantryModel().findings(in: damaged).count == 1)
        #expect(PantryModel().findings(in: damaged, forgets: true) == [])
        let half = PantryState(values: [place: .wrong("half")], feeds: [:])
        #expect(PantryModel().findings(in: half, forgets: true).count == 1)
    }

    // MARK: Lists

    private let list = PantryList(feed: .home, total: 20)

    private func rows(_ numbers: [Int?]) -> [PantryState.Row] {
        numbers.map { number in
            number.map { .item(PantryList.id($0), list.text(PantryList.id($0))) } ?? .gap
        }
    }

    private func findings(_ rows: [PantryState.Row], isAtEnd: Bool = false, gone: [Int] = []) -> [String] {
        var model = PantryModel(totals: [.home: 20])
        for id in gone { model.take(.begin(1, .removeItem(id))) }
        return model.findings(in: .init(rows: rows, isAtEnd: isAtEnd), of: .home, forgets: true)
    }

    @Test func neighboursWereNeighbours() {
        #expect(findings(rows([19, 18, 17, nil, 12, 11])) == [])
        // A hole that looks whole.
        #expect(findings(rows([19, 18, 16])).count == 1)
        #expect(findings(rows([18, 19])).count == 1)
    }

    @Test func whatIsSaidToBeGoneMayBeMissing() {
        #expect(findings(rows([19, 18, 16]), gone: [PantryList.id(17)]) == [])
    }

    @Test func theEndIsTheEnd() {
        #expect(findings(rows([2, 1, 0]), isAtEnd: true) == [])
        #expect(findings(rows([3, 2, 1]), isAtEnd: true).count == 1)
        #expect(findings(rows([3, 2, 1])) == [])
    }

    @Test func anItemIsWhatTheServerHad() {
        #expect(findings(rows([20])).count == 1)
        #expect(findings([.item(999, "x")]).count == 1)
        #expect(findings([.item(PantryList.id(3), "other")]).count == 1)
    }

    @Test func anItemThatWasStoredIsThere() {
        let ids = [PantryList.id(19), PantryList.id(18)]
        var model = PantryModel(totals: [.home: 20])
        model.take(.begin(1, .load(.home)))
        model.take(.end(1, .inserted(ids)))
        let whole = PantryState.Feed(rows: rows([19, 18]))
        #expect(model.findings(in: whole, of: .home, forgets: false) == [])
        let less = PantryState.Feed(rows: rows([19]))
        #expect(model.findings(in: less, of: .home, forgets: false).count == 1)
        model.take(.begin(2, .trim(.home)))
        #expect(model.findings(in: less, of: .home, forgets: false) == [])
    }

    // MARK: What is said

    @Test(arguments: [
        PantryLine.begin(1, .store("a/b")), .begin(2, .remove("a/b")), .begin(3, .signOut("bob")),
        .begin(4, .grow(.notes, 12)), .begin(5, .load(.home)), .begin(6, .trim(.trends)), .begin(7, .removeItem(1003)),
        .begin(8, .invalidate), .end(1, .done), .end(2, .inserted([1, 2])), .end(3, .inserted([])), .end(4, .refused),
        .end(5, .failed("a b  c")),
    ])
    func aLineIsWhatItSays(_ line: PantryLine) {
        #expect(PantryLine("\(line)") == line)
    }

    @Test(arguments: ["", "b", "b 1", "b x store a", "x 1 done", "b 1 grow home", "Fatal error"])
    func somethingElseIsNoLine(_ text: String) {
        #expect(PantryLine(text) == nil)
    }
}
