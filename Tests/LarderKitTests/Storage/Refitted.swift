/// SQL for tests that change rows by hand: gives every row the checksum of what it says now, as another process would have.
enum Refitted {
    static let rows = """
        ; UPDATE larder_entry SET size = length(body), body_checksum = larder_checksum('body', body) WHERE blob IS NULL;
        UPDATE larder_entry
        SET checksum = larder_checksum('entry', partition, key, codec, stamp, stored_at, lifetime, etag, last_modified,
            while_revalidate, if_error, size, blob, body_checksum);
        UPDATE larder_segment SET checksum = larder_checksum('segment', feed, low, high, stamp, at, lifetime);
        UPDATE larder_edge
        SET checksum = larder_checksum('edge', feed, cut, stamp, kind, token, position, size, is_apart, is_seam, etag,
            last_modified);
        """
}
