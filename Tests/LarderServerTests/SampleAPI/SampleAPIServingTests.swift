import Foundation
import LarderKit
import LarderServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct SampleAPIServingTests {
    @Test func aClientReadsRevalidatesAndIsRecorded() async throws {
        let api = SampleAPI(start: Date(timeIntervalSince1970: 1_750_000_000))
        let seen = Mutex<[Int]>([])
        let server = try api.serve(
            now: { Date(timeIntervalSince1970: 1_750_000_000) },
            observe: { record in seen.withLock { $0.append(record.status) } })
        let client = CurlClient()
        let full = try await client.send(url: server.url + "/shops")
        let tag = try #require(full.headers["ETag"])
        let again = try await client.send(url: server.url + "/shops", headers: ["If-None-Match": tag])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        #expect(again.headers.values(of: "Content-Length") == [String(full.body.count)])
        #expect(seen.withLock { $0 } == [200, 304])
        #expect(api.totals["/shops"] == RequestTotal(requests: 2, bytes: full.body.count))
    }
}
