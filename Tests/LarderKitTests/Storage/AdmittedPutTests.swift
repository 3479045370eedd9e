import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

@Suite(.timeLimit(.minutes(5))) struct AdmittedPutTests {
    private let larder = Larder.inMemory(environment: TestWorld().environment)

    /// Else an invalidation by the tag that came in between would not find it.
    @Test func `no value is stored outside of the database before its tags are`() async throws {
        try await larder.write { db in
            try db.executeScript(
                "CREATE TRIGGER full BEFORE INSERT ON larder_tag BEGIN SELECT RAISE(ABORT, 'as if full'); END")
        }
        let resource = larder.common.resource("k", options: .init(storage: .memory, tags: ["t"])) { 1 }
        let reading = try await resource.read()
        #expect(reading.value == 1 && reading.warnings.count == 1)
        #expect(try resource.peek() == nil)
    }
}
