/// The objects of the commands that look after a cache.
extension JSONFields {
    static let stored = CommandSpec.Table(
        title: "Members of the object (--json):",
        rows: [
            (
                "kind",
                "string: resource, item or feed, which has the members that 'larder ls' gives it; or httpAnswer, which has those "
                    + "below and reason, headers (name and value; secrets as …), others, and value and base64"
            ),
            ("partition, key", "strings: the account, and the key without its secrets; of an item feed and id"),
            ("size, codec", "number and string: the bytes as stored, and how they are encoded"),
            ("storedAt, age", "string and number of seconds: as of when it is true"),
            ("place, path", "string, and string or null: database; or blob or file, and its path"),
            (
                "pinned, usedAt",
                "boolean, and string or null: exempt from trimming; when it was last used, to the hour or so"
            ),
            ("lifetime", "number or null: for how many seconds the server called it fresh"),
            ("fresh", "boolean, or null where the server said nothing and it is the app's to say"),
            ("invalidated", "boolean: the app has said that it has changed"),
            ("etag, lastModified", "strings or null: what a request is made conditional with"),
            ("staleWhileRevalidate, staleIfError", "numbers or null: the server's limits for stale values, in seconds"),
            (
                "value, base64",
                "the value where it is JSON, else null; and the bytes of one that is not. Not with --meta"
            ),
        ])

    static let removal = CommandSpec.Table(
        title: "Members of the object (--json):",
        rows: [
            ("folder", "string: the cache"),
            (
                "resources, httpAnswers, feeds, items",
                "numbers: the documents, HTTP answers, lists and their items that were removed"
            ),
            ("size", "number: their bytes"),
            ("errors", "array of objects: kind and message of each thing that was not there, or could not be removed"),
        ])

    static let pins = CommandSpec.Table(
        title: "Members of the object (--json):",
        rows: [
            ("pinned", "array of objects: partition and key of what is pinned now, or with --list of all that is"),
            ("unpinned", "with --off, in its place: what is pinned no longer"),
            ("errors", "array of objects: kind and message of each thing that is not there"),
        ])

    static let verification = CommandSpec.Table(
        title: "Members of the object (--json):",
        rows: [
            ("folder", "string: the cache"),
            ("sound", "boolean: everything that was looked at is as it was stored"),
            ("quick, empty", "booleans: the structure alone was looked at; there is nothing in it"),
            ("rows, feeds, blobs, files, bytes", "numbers: what was looked at"),
            ("counts", "object of numbers: the findings of each kind"),
            (
                "findings",
                "array of objects, the first thousand: kind, damage (boolean), explanation, and, where they are known, "
                    + "table, partition, feed and key"
            ),
        ])

    static let findings = CommandSpec.Table(
        title: "Kinds of findings:",
        rows: [
            ("header", "the file is no database, or its first page is damaged"),
            ("structure", "pages, indexes or tables do not fit together"),
            ("row", "a row does not fit its checksum"),
            ("blob", "the file of a large value is missing, cut or changed"),
            ("proof", "what is proven of a list contradicts itself"),
            ("file", "a value in a file of its own is cut or changed"),
            ("note", "no damage: something is left over, or not used"),
        ])

    static let repair = CommandSpec.Table(
        title: "Members of the object (--json):",
        rows: [
            ("folder", "string: the cache"),
            ("outcome", "string: sound (nothing was changed), removedRows or rebuilt"),
            ("kept, lost", "objects of numbers: rows by table; kept only where the database was built anew"),
            ("removedFiles", "number: damaged files of values that were removed"),
            ("gaps", "number: places in lists that are not known now"),
            ("feedsWithoutProof", "number: lists of which nothing is known to be complete any more"),
            ("setAside", "string or null: the folder in which the damaged file lies"),
            (
                "endedAllSessions, outdatedAllAnswers",
                "booleans: who has signed out, or what had changed, could not be read"
            ),
            ("droppedTables", "number: tables of the app's own that went"),
            ("found", "object: what was wrong, as 'larder verify' tells it"),
        ])

    static let collection = CommandSpec.Table(
        title: "Members of the object (--json):",
        rows: [
            ("folder, budget", "string, and number or null: the cache, and the bytes it was trimmed to"),
            ("dryRun", "boolean: nothing was changed"),
            ("trimmed", "object of numbers: values, items and bytes that were forgotten, or would be"),
            ("orphanedFiles, orphanedBytes", "numbers: files that no value had, and their bytes"),
            ("unfinishedFiles", "number: files that were never finished"),
            ("staleRecords", "number: records of requests and removals that meant nothing any more"),
            ("bytesGivenBack", "number: by how much the database's file is smaller"),
            ("before, after", "objects, as below; after is null when nothing was changed"),
        ])

    static let usage = CommandSpec.Table(
        title: "What a cache takes, in bytes:",
        rows: [
            ("total", "what counts against a budget: database, blobs and files together"),
            ("database", "the pages of the database that hold something"),
            ("free, log", "pages that hold nothing any more, and SQLite's log; neither counts"),
            ("blobs, files", "large values, and values that the app keeps in files"),
            ("pinned", "what of all this is exempt from trimming"),
        ])

    static let tail = CommandSpec.Table(
        title: "Members of each object (--json):",
        rows: [
            ("at", "string: when it was seen; ISO 8601 in UTC with milliseconds"),
            ("changed", "string: resource, feed, partition (many things of an account) or everything"),
            ("partition, key", "strings, or null where they are not told: the account, and the key or name"),
        ])

    static let path = CommandSpec.Table(
        title: "Members of the object (--json):",
        rows: [
            ("folder", "string: the cache's folder"),
            ("exists", "boolean: there is a cache in it"),
            ("size", "number: the bytes of all files in it"),
            ("files", "array of objects: path (string, from the folder on) and size (number)"),
        ])

    static let snapshot = CommandSpec.Table(
        title: "Members of the object (--json):",
        rows: [
            ("file", "string: the snapshot"),
            ("resources, feeds, items", "numbers: the documents, lists and their items that were written or taken in"),
            ("bytes", "number: those of documents and items"),
            ("leftOut", "object of numbers: what was not, by reason"),
        ])

    static let omissions = CommandSpec.Table(
        title: "Reasons to leave something out:",
        rows: [
            ("damaged", "its bytes are not those that were stored"),
            ("holdsCredentials", "its key is a URL with a user's name, a password or a token in it"),
            ("tooLarge", "it is larger than a snapshot can hold"),
            ("isNewerHere", "what the cache has is later, or was said to have changed or gone since"),
            ("isThereAlready", "it is stored already"),
            ("signedOut", "its account was signed out of meanwhile"),
        ])
}
