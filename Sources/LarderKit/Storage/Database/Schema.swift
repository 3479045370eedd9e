import LarderSQLite

/// The cache file, `cache.sqlite`: a SQLite database with application id `LARD` and this schema as its user version.
///
/// ```
/// larder_entry      one row a value under a key: bytes or the name of the file that holds them, codec, times, validators
/// larder_pin        what is never trimmed
/// larder_feed       one row a feed: what its proofs depend on, and the latest answer it has taken
/// larder_feed_item  one row an item: its place (key), its id where the key does not tell it, its bytes as served
/// larder_segment    one row a proven stretch of a feed, between two cuts, with the stamp of the answer that proved it
/// larder_edge       one row a place where an answer ended, with what the server gave to go on from there
/// larder_envelope   one row an answer of which what stands around its items is kept, by the answer's stamp
/// larder_gone       the items lately said to be gone, which an answer asked for before does not bring back
/// larder_partition  one row a partition that was signed out of, with the number of times that has happened
/// larder_fence      what the app lately said to have changed, which an answer asked for before does not settle
/// larder_tag        the tags of values and feeds
/// larder_lease      what a process is asking the server for, so that no other one asks meanwhile
/// larder_counter    what was counted, over all processes
/// larder_codec      the codecs and versions that rows name
/// larder_item       a view, the stable way for an app's own SQL to see items
/// ```
///
/// Bodies come last in their rows: what stands behind a long one is only reached through all of its overflow pages
/// (<https://www.sqlite.org/fileformat2.html>, section 1.6).
///
/// Items of one segment are all the server had there at the segment's time. Segments are disjoint; two that share a cut
/// belong to one run. A feed's segments without its items, or the reverse, cannot be seen: both change in one
/// transaction. The file is disposable: everything in it can be fetched again.
///
/// SQLite does not notice when bytes in its file change by accident, so the rows that are served, or that something is
/// concluded from, prove themselves: see ``RowChecksum``.
enum Schema {
    static let applicationID: Int32 = 0x4C41_5244
    static let version: Int32 = 4

    static let script = """
        CREATE TABLE larder_codec (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            version INTEGER NOT NULL,
            UNIQUE (name, version)
        );
        \(entries)
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
            anchor_id TEXT,
            anchor_key,
            is_pinned INTEGER NOT NULL DEFAULT 0,
            kind TEXT,
            checksum INTEGER NOT NULL DEFAULT 0,
            used_at INTEGER NOT NULL DEFAULT 0,
            UNIQUE (partition, name)
        );
        \(items)
        \(segments)
        \(edges)
        \(envelopes)
        \(accounts)
        \(pins)
        CREATE TABLE larder_gone (
            partition TEXT NOT NULL,
            stamp INTEGER NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (partition, stamp, id)
        ) WITHOUT ROWID;
        \(view)
        """

    static let view = """
        CREATE VIEW larder_item (partition, feed, id, body, stored_at) AS
            SELECT feed.partition, feed.name, coalesce(item.id, CAST(item.key AS TEXT)), item.body,
                   item.stored_at / 1000.0
            FROM larder_feed_item AS item JOIN larder_feed AS feed ON feed.id = item.feed;
        """

    static let entries = """
        CREATE TABLE larder_entry (
            partition TEXT NOT NULL,
            key TEXT NOT NULL,
            codec INTEGER NOT NULL REFERENCES larder_codec,
            stamp INTEGER NOT NULL,
            stored_at INTEGER NOT NULL,
            lifetime INTEGER,
            etag TEXT,
            last_modified TEXT,
            while_revalidate INTEGER,
            if_error INTEGER,
            used_at INTEGER NOT NULL,
            size INTEGER NOT NULL,
            blob TEXT,
            body_checksum INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            body BLOB NOT NULL,
            UNIQUE (partition, key)
        );
        CREATE INDEX larder_entry_used ON larder_entry (used_at);
        CREATE UNIQUE INDEX larder_entry_blob ON larder_entry (blob, size) WHERE blob IS NOT NULL;
        """

    static let items = """
        CREATE TABLE larder_feed_item (
            feed INTEGER NOT NULL,
            key NOT NULL,
            id TEXT,
            codec INTEGER NOT NULL,
            stored_at INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            body BLOB NOT NULL,
            UNIQUE (feed, key)
        );
        CREATE UNIQUE INDEX larder_feed_item_id ON larder_feed_item (feed, id) WHERE id IS NOT NULL;
        """

    static let segments = """
        CREATE TABLE larder_segment (
            feed INTEGER NOT NULL,
            low BLOB NOT NULL,
            high BLOB NOT NULL,
            stamp INTEGER NOT NULL,
            at INTEGER NOT NULL,
            lifetime INTEGER,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (feed, low)
        ) WITHOUT ROWID;
        """

    static let pins = """
        CREATE TABLE larder_pin (
            partition TEXT NOT NULL,
            key TEXT NOT NULL,
            PRIMARY KEY (partition, key)
        ) WITHOUT ROWID;
        """

    static let edges = """
        CREATE TABLE larder_edge (
            feed INTEGER NOT NULL,
            cut BLOB NOT NULL,
            stamp INTEGER NOT NULL,
            kind TEXT,
            token TEXT,
            position INTEGER,
            size INTEGER NOT NULL,
            shift INTEGER NOT NULL,
            fruitless INTEGER NOT NULL,
            stall TEXT,
            is_apart INTEGER NOT NULL,
            is_seam INTEGER NOT NULL,
            etag TEXT,
            last_modified TEXT,
            checksum INTEGER NOT NULL,
            PRIMARY KEY (feed, cut)
        ) WITHOUT ROWID;
        """

    static let envelopes = """
        CREATE TABLE larder_envelope (
            feed INTEGER NOT NULL,
            stamp INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            body BLOB NOT NULL,
            UNIQUE (feed, stamp)
        );
        """

    static let accounts = """
        CREATE TABLE larder_partition (
            name TEXT PRIMARY KEY,
            generation INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE larder_fence (
            partition TEXT NOT NULL,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            stamp INTEGER NOT NULL,
            PRIMARY KEY (partition, kind, name)
        ) WITHOUT ROWID;
        CREATE INDEX larder_fence_stamp ON larder_fence (partition, stamp);
        CREATE TABLE larder_tag (
            partition TEXT NOT NULL,
            tag TEXT NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (partition, tag, name)
        ) WITHOUT ROWID;
        CREATE TABLE larder_lease (
            partition TEXT NOT NULL,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            holder TEXT NOT NULL,
            stamp INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            PRIMARY KEY (partition, kind, name)
        ) WITHOUT ROWID;
        CREATE TABLE larder_counter (
            name TEXT PRIMARY KEY,
            value INTEGER NOT NULL
        ) WITHOUT ROWID;
        """
}
