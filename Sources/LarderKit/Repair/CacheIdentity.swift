import LarderSQLite

/// Whose database the cache file is, and of which version.
struct CacheIdentity {
    /// Nothing was ever stored in it.
    let isEmpty: Bool
    /// Its rows are of the version that is known here.
    let isCurrent: Bool
    private(set) var findings: [VerificationReport.Finding] = []

    /// - Throws: ``StorageError`` of kind `notALarder` or `newerFormat` for files that are not touched.
    init(_ db: borrowing Connection, folder: String) throws {
        let application = try db.first("PRAGMA application_id") { try $0.int64(0) } ?? 0
        let version = try db.first("PRAGMA user_version") { try $0.int64(0) } ?? 0
        let names = try db.query("SELECT name FROM sqlite_master") { try $0.text(0) }
        let isOwn = application == Int64(Schema.applicationID)
        let hasTables = names.contains("larder_entry") && names.contains("larder_feed")
        guard isOwn || hasTables || (application == 0 && names.isEmpty) else { throw Self.notALarder(folder) }
        isEmpty = names.isEmpty && !isOwn
        if isOwn, version > Int64(Schema.version) {
            throw StorageError(
                .newerFormat, "the cache in \(folder) was written by a newer version (format \(version))",
                nextStep: "Nothing was changed. Use a newer version of this program.")
        }
        // What a version brought with it cannot be there before.
        let isOlder = version < Int64(Schema.version) && !names.contains("larder_pin")
        isCurrent = !isEmpty && !isOlder
        if !isEmpty, !isOwn || (!isOlder && version != Int64(Schema.version)) {
            findings.append(.init(.header, "the header of cache.sqlite does not say what the file holds"))
        } else if isOlder, !isEmpty {
            let text =
                "the file is of an older format (\(version)), whose rows prove nothing: opening it brings it up to date"
            findings.append(.init(.note, text))
        }
    }

    static func notALarder(_ folder: String) -> StorageError {
        StorageError(
            .notALarder, "the file cache.sqlite in \(folder) is another program's database",
            nextStep: "Nothing was changed. Give the cache a folder of its own.")
    }
}
