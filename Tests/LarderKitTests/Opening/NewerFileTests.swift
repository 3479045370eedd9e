import CSQLite
import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// A cache file that a newer version wrote is left as it is, to the byte; what happens instead is for the app to say.
@Suite struct NewerFileTests {
    private let folder: TestFolder
    private var file: URL { folder.url("cache.sqlite") }

    init() throws {
        folder = try TestFolder()
        var database: OpaquePointer?
        try #require(sqlite3_open(file.path, &database) == SQLITE_OK)
        defer { sqlite3_close(database) }
        let sql = """
            CREATE TABLE larder_entry (what, comes, next); INSERT INTO larder_entry VALUES (1, 2, 3);
            PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 999;
            """
        try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    }

    private func open(_ choice: NewerFormat) throws(StorageError) -> Larder {
        try Larder(
            .folder(folder.url), options: LarderOptions(newerFormat: choice), environment: TestWorld().environment)
    }

    @Test func `it is refused with its version, and nothing is made`() throws {
        let before = try Data(contentsOf: file)
        let error = #expect(throws: StorageError.self) { _ = try open(.refuse) }
        #expect(error?.kind == .newerFormat && error?.description.contains("999") == true)
        #expect(try Data(contentsOf: file) == before)
        #expect(folder.contents() == ["cache.sqlite"])
    }

    @Test func `another cache is kept beside it, the same one the next time`() async throws {
        let before = try Data(contentsOf: file)
        let larder = try open(.freshBeside)
        _ = try await larder.common.resource("k") { 1 }.read()
        #expect(larder.folder?.path.hasPrefix(folder.url.resolvingSymlinksInPath().path + "/") == true)
        // Opened once more in the process, it is the same one.
        #expect(try open(.freshBeside).common.resource("k") { 2 }.peek()?.value == 1)
        larder.close()
        let again = try open(.freshBeside)
        #expect(try again.common.resource("k") { 2 }.peek()?.value == 1)
        again.close()
        #expect(try Data(contentsOf: file) == before)
        #expect(!folder.contents().contains("cache.sqlite-wal"))
    }
}
