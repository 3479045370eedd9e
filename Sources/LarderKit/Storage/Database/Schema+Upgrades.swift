extension Schema {
    /// What makes a file of the version in the index one of the next version.
    static let upgrades: [Int32: String] = [
        1: """
        ALTER TABLE larder_feed ADD COLUMN anchor_id TEXT;
        ALTER TABLE larder_feed ADD COLUMN anchor_key;
        ALTER TABLE larder_feed ADD COLUMN is_pinned INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE larder_feed ADD COLUMN kind TEXT;
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
            PRIMARY KEY (feed, cut)
        ) WITHOUT ROWID;
        CREATE TABLE larder_envelope (
            feed INTEGER NOT NULL,
            stamp INTEGER NOT NULL,
            body BLOB NOT NULL,
            UNIQUE (feed, stamp)
        );
        """,
        2: """
        ALTER TABLE larder_entry ADD COLUMN while_revalidate INTEGER;
        ALTER TABLE larder_entry ADD COLUMN if_error INTEGER;
        \(accounts)
        """,
        3: checksums,
    ]

    /// Each row gets its checksum: the tables are made anew, since a column that is added comes behind the body.
    private static let checksums = """
        DROP VIEW larder_item;
        DROP INDEX larder_feed_item_id;
        ALTER TABLE larder_feed ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE larder_feed ADD COLUMN used_at INTEGER NOT NULL DEFAULT 0;
        UPDATE larder_feed SET checksum = larder_checksum('feed', id, partition, name);
        ALTER TABLE larder_entry RENAME TO larder_entry_3;
        \(entries)
        INSERT INTO larder_entry (
            partition, key, codec, stamp, stored_at, lifetime, etag, last_modified, while_revalidate, if_error,
            used_at, size, blob, body_checksum, checksum, body)
        SELECT partition, key, codec, stamp, stored_at, lifetime, etag, last_modified, while_revalidate, if_error,
            stored_at, length(body), NULL, larder_checksum('body', body),
            larder_checksum('entry', partition, key, codec, stamp, stored_at, lifetime, etag, last_modified,
                while_revalidate, if_error, length(body), NULL, larder_checksum('body', body)),
            body
        FROM larder_entry_3;
        DROP TABLE larder_entry_3;
        ALTER TABLE larder_feed_item RENAME TO larder_feed_item_3;
        \(items)
        INSERT INTO larder_feed_item (feed, key, id, codec, stored_at, checksum, body)
        SELECT feed, key, id, codec, stored_at, (place | sum) - (place & sum), body
        FROM (
            SELECT *, larder_checksum('item', feed, key, id, codec) AS place, larder_checksum('body', body) AS sum
            FROM larder_feed_item_3 ORDER BY feed, key);
        DROP TABLE larder_feed_item_3;
        ALTER TABLE larder_segment RENAME TO larder_segment_3;
        \(segments)
        INSERT INTO larder_segment (feed, low, high, stamp, at, lifetime, checksum)
        SELECT feed, low, high, stamp, at, lifetime, larder_checksum('segment', feed, low, high, stamp, at, lifetime)
        FROM larder_segment_3;
        DROP TABLE larder_segment_3;
        ALTER TABLE larder_edge RENAME TO larder_edge_3;
        \(edges)
        INSERT INTO larder_edge (
            feed, cut, stamp, kind, token, position, size, shift, fruitless, stall, is_apart, is_seam, etag,
            last_modified, checksum)
        SELECT feed, cut, stamp, kind, token, position, size, shift, fruitless, stall, is_apart, is_seam, etag,
            last_modified,
            larder_checksum('edge', feed, cut, stamp, kind, token, position, size, is_apart, is_seam, etag, last_modified)
        FROM larder_edge_3;
        DROP TABLE larder_edge_3;
        ALTER TABLE larder_envelope RENAME TO larder_envelope_3;
        \(envelopes)
        INSERT INTO larder_envelope (feed, stamp, checksum, body)
        SELECT feed, stamp, larder_checksum('envelope', feed, stamp, body), body FROM larder_envelope_3;
        DROP TABLE larder_envelope_3;
        \(pins)
        \(view)
        """
}
