import LarderKit
import Testing

@testable import LarderCLI

@Suite struct PagingParametersTests {
    private func query(_ parameters: PagingParameters, _ request: PageRequest) throws -> [String] {
        try parameters.query(for: request).map { "\($0.name)=\($0.value)" }
    }

    @Test func aRequestIsToldInTheServersWords() throws {
        var names = PagingParameters()
        #expect(names.understood == [.since, .max])
        #expect(
            try query(names, PageRequest(above: "1", below: "9", limit: 3)) == ["since_id=1", "max_id=9", "limit=3"])
        names = PagingParameters(since: "", min: "after", max: "before", limit: "")
        #expect(names.understood == [.min, .max])
        #expect(
            try query(names, PageRequest(above: "1", below: "9", countedFrom: .oldest, limit: 3))
                == ["after=1", "before=9"])
    }

    @Test func whatTheServerGaveIsHandedBackUnderItsName() throws {
        var names = PagingParameters()
        (names.cursor, names.page, names.offset, names.limit) = ("after", "p", "skip", "")
        #expect(try query(names, PageRequest(limit: 3, continuation: .cursor("x"))) == ["after=x"])
        #expect(try query(names, PageRequest(limit: 3, continuation: .page(0))) == ["p=0"])
        #expect(try query(names, PageRequest(below: "1", limit: 3, continuation: .offset(2))) == ["skip=2"])
        #expect(try query(names, PageRequest(limit: 3, continuation: .offset(0))).isEmpty)
    }

    @Test func aBoundTheServerDoesNotUnderstandIsNeverLeftOut() {
        let names = PagingParameters(since: "", min: "", max: "")
        for request in [
            PageRequest(above: "1", limit: 3), PageRequest(below: "1", limit: 3),
            PageRequest(above: "1", countedFrom: .oldest, limit: 3),
        ] {
            #expect(throws: FetchFailure.self) { try names.query(for: request) }
        }
    }
}
