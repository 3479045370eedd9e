import CSQLite
import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// Cache files of earlier versions: brought up to date when they are opened, with all that is in them.
@Suite struct OlderFileTests {
    private let folder: TestFolder
    private var file: URL { folder.url("cache.sqlite") }

    init() throws { folder = try TestFolder() }

    private func run(_ sql: String) throws {
        var database: OpaquePointer?
        try #require(sqlite3_open(file.path, &database) == SQLITE_OK)
        defer { sqlite3_close(database) }
        try #require(
            sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(database)))")
    }

    private func column(_ sql: String) throws -> [String] {
        var database: OpaquePointer?
        try #require(sqlite3_open(file.path, &database) == SQLITE_OK)
        defer { sqlite3_close(database) }
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
        defer { sqlite3_finalize(statement) }
        var values: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            values.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
        }
        return values
    }

    private func open() throws -> Larder {
        try Larder(.folder(folder.url), environment: TestWorld().environment)
    }

    private func feed(_ larder: Larder) -> Feed<Data> {
        larder.common.feedOfBytes("home", json: JSONItems(), paging: .byID) { _ in throw FetchFailure(.offline, "") }
    }

    @Test func `a file of version 1 keeps its values, items, proofs and gaps`() async throws {
        try run(Self.version1 + Self.contents)
        let larder = try open()
        #expect(try larder.common.resource("k", codec: .raw) { Data() }.peek()?.value == Data("value".utf8))
        let feed = feed(larder)
        let page = try #require(try feed.peek())
        #expect(
            page.value.ids == ["3", "2"] && page.value.items == [Data("{\"id\":3}".utf8), Data("{\"id\":2}".utf8)])
        #expect(try feed.gaps() == [Gap(above: "2", below: "1")])
        #expect(try await larder.feeds().map(\.items) == [3])
        // What the new version adds works on it.
        try await feed.pin()
        try await feed.keep(anchor: "2")
        #expect(try feed.isPinned() && feed.anchor() == "2")
        larder.close()
        #expect(try column("PRAGMA user_version") == ["4"])
    }

    @Test func `it has the tables of a new file then`() throws {
        try run(Self.version1 + Self.contents)
        try open().close()
        let sql = """
            SELECT schema.name || ' ' || coalesce(field.name || ' ' || field.type || field."notnull" || field.pk, '')
            FROM sqlite_schema AS schema LEFT JOIN pragma_table_info(schema.name) AS field ORDER BY 1
            """
        let older = try column(sql)
        try FileManager.default.removeItem(at: file)
        try open().close()
        #expect(try column(sql) == older)
    }

    @Test func `a step that fails leaves the file as it was, and it is refused`() throws {
        // A table that the last step makes is there already.
        try run(Self.version1 + Self.contents + "CREATE TABLE larder_envelope (a);")
        let tables = try column("SELECT sql FROM sqlite_schema")
        #expect(throws: StorageError.self) { try open() }
        #expect(try column("SELECT sql FROM sqlite_schema") == tables)
        #expect(try column("PRAGMA user_version") == ["1"])
        #expect(try column("SELECT count(*) FROM larder_feed_item") == ["3"])
    }

    /// Three items in two runs, and a value.
    private static let contents = """
        INSERT INTO larder_codec VALUES (1, 'served', 1), (2, 'raw', 1);
        INSERT INTO larder_entry VALUES ('', 'k', 2, 7, 1000, NULL, NULL, NULL, x'76616C7565');
        INSERT INTO larder_feed (id, partition, name, paging, latest, largest_page)
            VALUES (1, '', 'home', 'id-decimal proveNothing mustComeTwice', 9, 2);
        INSERT INTO larder_feed_item VALUES
            (1, 1, NULL, 1, 1000, CAST('{"id":1}' AS BLOB)), (1, 2, NULL, 1, 1000, CAST('{"id":2}' AS BLOB)),
            (1, 3, NULL, 1, 1000, CAST('{"id":3}' AS BLOB));
        INSERT INTO larder_segment VALUES
            (1, x'10800000000000000100', x'10800000000000000101', 5, 500, NULL),
            (1, x'10800000000000000200', x'10800000000000000301', 9, 900, NULL),
            (1, x'10800000000000000301', x'FF', 9, 900, NULL);
        """

    /// As version 1 made its files.
    private static let version1 = """
        CREATE TABLE larder_codec (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            version INTEGER NOT NULL,
            UNIQUE (name, version)
        );
        CREATE TABLE larder_entry (
            partition TEXT NOT NULL,
            key TEXT NOT NULL,
            codec INTEGER NOT NULL REFERENCES larder_codec,
            stamp INTEGER NOT NULL,
            stored_at INTEGER NOT NULL,
            lifetime INTEGER,
            etag TEXT,
            last_modified TEXT,
            body BLOB NOT NULL,
            UNIQUE (partition, key)
        );
        CREATE TABLE larder_feed (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            partition TEXT NOT NULL,
            name TEXT NOT NULL,
            paging TEXT NOT NULL,
            latest INTEGER NOT NULL DEFAULT 0,
            largest_page INTEGER NOT NULL DEFAULT 0,
            empty_low BLOB,
            empty_high BLOB,
            empty_stamp INTEGER,
            end_item TEXT,
            end_key INTEGER,
            end_stamp INTEGER,
            end_at INTEGER,
            UNIQUE (partition, name)
        );
        CREATE TABLE larder_feed_item (
            feed INTEGER NOT NULL,
            key NOT NULL,
            id TEXT,
            codec INTEGER NOT NULL,
            stored_at INTEGER NOT NULL,
            body BLOB NOT NULL,
            UNIQUE (feed, key)
        );
        CREATE UNIQUE INDEX larder_feed_item_id ON larder_feed_item (feed, id) WHERE id IS NOT NULL;
        CREATE TABLE larder_segment (
            feed INTEGER NOT NULL,
            low BLOB NOT NULL,
            high BLOB NOT NULL,
            stamp INTEGER NOT NULL,
            at INTEGER NOT NULL,
            lifetime INTEGER,
            PRIMARY KEY (feed, low)
        ) WITHOUT ROWID;
        CREATE TABLE larder_gone (
            partition TEXT NOT NULL,
            stamp INTEGER NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (partition, stamp, id)
        ) WITHOUT ROWID;
        CREATE VIEW larder_item (partition, feed, id, body, stored_at) AS
            SELECT feed.partition, feed.name, coalesce(item.id, CAST(item.key AS TEXT)), item.body,
                   item.stored_at / 1000.0
            FROM larder_feed_item AS item JOIN larder_feed AS feed ON feed.id = item.feed;
        PRAGMA application_id = 1279349316;
        PRAGMA user_version = 1;
        """
}
