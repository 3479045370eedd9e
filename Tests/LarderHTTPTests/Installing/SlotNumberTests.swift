import Testing

@testable import LarderHTTP

@Suite struct SlotNumberTests {
    @Test func eachNumberHasAClassOfItsOwn() {
        let classes = (0..<100).map { slotNumber($0).protocolClass }
        #expect(classes.map { $0.slotNumber } == Array(0..<100))
        #expect(Set(classes.map { ObjectIdentifier($0) }).count == 100)
        #expect(slotNumber(77).protocolClass == classes[77])
    }
}
