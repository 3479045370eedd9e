import LarderSQLite
import Testing

@Suite struct Smoke {
    @Test func aWriteIsReadBack() async throws {
        let scratch = try Scratch()
        let database = try notes(.file(scratch.path()))
        try await database.write { try $0.execute("INSERT INTO note (title) VALUES (\("a"))") }
        #expect(try database.titles() == ["a"])
    }
}
