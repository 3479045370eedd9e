import LarderKit
import Testing

@testable import LarderServer

@Suite struct RequestRefusalTests {
    private func status(_ fields: [(String, String)]) -> Int? {
        let headers = HeaderFields(fields.map { .init(name: $0.0, value: $0.1) })
        return RequestRefusal(headers: headers, bodyLimit: 100)?.status
    }

    @Test func anOrdinaryHeadPasses() {
        #expect(status([("Host", "a"), ("Content-Length", "100")]) == nil)
        #expect(status([("Host", "a"), ("Transfer-Encoding", "Chunked")]) == nil)
    }

    @Test(arguments: [
        ([("Content-Length", "3"), ("Transfer-Encoding", "chunked")], 400),
        ([("Content-Length", "3"), ("content-length", "3")], 400),
        ([("Transfer-Encoding", "gzip")], 501),
        ([("Transfer-Encoding", "chunked"), ("Transfer-Encoding", "identity")], 501),
        ([("Transfer-Encoding", "identity, chunked")], 501),
        ([("Host", "a"), ("host", "b")], 400),
        ([("Content-Length ", "5")], 400),
        ([("Content-Length", "101")], 413),
    ])
    func aHeadThatTwoReadersWouldFrameInTwoWaysIsRefused(fields: [(String, String)], expected: Int) {
        #expect(status(fields) == expected)
    }
}
