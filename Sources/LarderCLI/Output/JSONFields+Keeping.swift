/// The objects of the commands that look after a cache.
extension JSONFields {
    static let stored = CommandSpec.Table(
        title: "Members of the object (--json):",
        rows: [
            ("kind", "string: resource, item or feed; a feed has the members that 'larder ls' gives it"),
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
            ("resources, feeds, items", "numbers: the documents, lists and their items that were removed"),
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

    static let path = CommandSpec.Table(
        title: "Members of the object (--json):",
        rows: [
            ("folder", "string: the cache's folder"),
            ("exists", "boolean: there is a cache in it"),
            ("size", "number: the bytes of all files in it"),
            ("files", "array of objects: path (string, from the folder on) and size (number)"),
        ])
}
