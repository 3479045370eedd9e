import CSQLite
import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// Folders and files that are no larder: refused with cause and next step, and left as they are.
@Suite struct ForeignFileTests {
    private let folder: TestFolder
    private var file: URL { folder.url("cache.sqlite") }

    init() throws { folder = try TestFolder() }

    private func open(_ url: URL? = nil, damage: DamageResponse = .repair) throws(StorageError) -> Larder {
        try Larder(
            .folder(url ?? folder.url), options: LarderOptions(damage: damage), environment: TestWorld().environment)
    }

    private func expectRefusal(
        _ kinds: StorageError.Kind..., at url: URL? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: StorageError.self, sourceLocation: sourceLocation) { _ = try open(url) }
        guard let error else { return }
        #expect(kinds.contains(error.kind), "\(error)", sourceLocation: sourceLocation)
        #expect(error.nextStep?.isEmpty == false, sourceLocation: sourceLocation)
        #expect(error.description.contains((url ?? folder.url).path), sourceLocation: sourceLocation)
    }

    /// Makes a database with plain SQLite, closed and in its usual journal mode.
    private func makeDatabase(_ sql: String) throws {
        var database: OpaquePointer?
        try #require(sqlite3_open(file.path, &database) == SQLITE_OK)
        defer { sqlite3_close(database) }
        try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
    }

    @Test func `a file in the folder's place`() throws {
        let place = folder.url("place")
        try Data("mine".utf8).write(to: place)
        expectRefusal(.missing, at: place)
        #expect(try Data(contentsOf: place) == Data("mine".utf8))
        expectRefusal(.missing, at: place.appendingPathComponent("below", isDirectory: true))
        #expect(folder.contents() == ["place"])
    }

    @Test func `a folder in the file's place`() throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        expectRefusal(.missing)
        #expect(folder.contents() == ["cache.sqlite"])
    }

    @Test func `a folder that may not be written`() throws {
        guard getuid() != 0 else { try Test.cancel("root may write everywhere") }
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.url.path)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.url.path) }
        expectRefusal(.notPermitted, .missing)
    }

    @Test(arguments: [
        "Not a database, but long enough to be taken for the beginning of one, and then some more of the same.",
        "x", "SQLite format 3", "<html>\n</html>", "{}",
    ])
    func `a file that is not SQLite`(text: String) throws {
        let bytes = Data(String(repeating: text, count: 100).utf8)
        try bytes.write(to: file)
        expectRefusal(.notALarder)
        #expect(try Data(contentsOf: file) == bytes)
        #expect(folder.contents() == ["cache.sqlite"])
    }

    @Test(arguments: [
        "CREATE TABLE contact (name TEXT); INSERT INTO contact VALUES ('Ada');",
        "PRAGMA application_id = 42; CREATE TABLE t (a);", "PRAGMA application_id = 42;", "PRAGMA user_version = 3;",
        "CREATE VIEW v AS SELECT 1;", "PRAGMA journal_mode = WAL; CREATE TABLE contact (name TEXT);",
    ])
    func `another program's database`(sql: String) throws {
        try makeDatabase(sql)
        let bytes = try Data(contentsOf: file)
        expectRefusal(.notALarder)
        #expect(try Data(contentsOf: file) == bytes)
        #expect(folder.contents() == ["cache.sqlite"])
    }

    @Test func `a cache of a newer version`() throws {
        try open().close()
        try makeDatabase("PRAGMA user_version = 999")
        let bytes = try Data(contentsOf: file)
        let contents = folder.contents()
        expectRefusal(.newerFormat)
        #expect(try Data(contentsOf: file) == bytes)
        #expect(folder.contents() == contents)
    }

    @Test func `a file that was cut is refused or found out, and left alone`() async throws {
        let larder = try open()
        for number in 0..<50 {
            _ = try await larder.common.resource("\(number)") { Data(repeating: 7, count: 5000) }.read()
        }
        larder.close()
        let whole = try Data(contentsOf: file)
        for length in [1, 16, 99, 100, 4096, 8192, whole.count / 2, whole.count - 1] {
            try whole.prefix(length).write(to: file)
            let larder: Larder
            do throws(StorageError) { larder = try open(damage: .refuse) } catch {
                #expect([.corrupt, .notALarder].contains(error.kind), "\(length) bytes: \(error)")
                #expect(error.nextStep?.isEmpty == false)
                #expect(try Data(contentsOf: file) == whole.prefix(length))
                continue
            }
            // What is left may be sound. What is not throws, and is never nil or a wrong value.
            for number in 0..<50 {
                let resource = larder.common.resource("\(number)") { Data() }
                do throws(LarderError) {
                    let found = try resource.peek()
                    #expect(found?.value == Data(repeating: 7, count: 5000), "\(number) of \(length) bytes")
                } catch {
                    // Where only the end of a body is gone, it is the decoder that finds out.
                    #expect(
                        [.storage(.corrupt), .undecodable(nil)].contains(Refusal(error)),
                        "\(number) of \(length) bytes: \(error)")
                }
            }
            larder.close()
        }
    }

    @Test func `an empty file becomes a cache, as one whose making was interrupted`() async throws {
        try Data().write(to: file)
        let larder = try open()
        _ = try await larder.common.resource("k") { 1 }.read()
        #expect(try larder.common.resource("k") { 2 }.peek()?.value == 1)
        larder.close()
    }
}
