import LarderSQLite

/// The declaration of a feed whose own is lost. What its items look like tells how they are ordered; everything else makes it
/// another declaration than the app's, so that nothing is concluded from it.
enum PagingGuess {
    static func fingerprint(feed: Int64, in db: borrowing Connection) throws -> String {
        func has(_ condition: String) throws -> Bool {
            let sql = SQL(
                raw: "SELECT 1 FROM larder_feed_item WHERE feed = ? AND \(condition) LIMIT 1",
                arguments: [.integer(feed)])
            return try db.first(sql) { _ in true } ?? false
        }
        // A number that is its own key stands without an id.
        if try has("typeof(key) = 'integer' AND id IS NOT NULL") { return Paging.afterItem(parameters: []).fingerprint }
        let isText = try has("typeof(key) = 'blob' AND key = CAST(id AS BLOB)")
        return Paging.byID(isText ? .text : .decimal, parameters: []).fingerprint
    }
}
