/// The objects that tell of HTTP answers.
extension JSONFields {
    static let list = CommandSpec.Table(
        title: "Members of the object (--json):",
        rows: [
            ("folder, size", "string and number: the cache, and the bytes of all its files"),
            (
                "resources",
                "array of objects: kind (resource, or httpAnswer with the members below), partition and key; of a resource size, "
                    + "storedAt, age, codec, etag, lastModified, place, pinned and usedAt"
            ),
            ("feeds", "array of objects: partition, name, order, paging, items, size, runs, gaps and more"),
            ("leftOverParts, leftOverPartsSize", "numbers: parts of bodies that no HTTP answer needs, and their bytes"),
            ("damaged", "number: the rows and files that cannot be read"),
        ])

    static let httpAnswer = CommandSpec.Table(
        title: "Members of an HTTP answer (--json):",
        rows: [
            ("key", "string: the URL it answers, without its secrets"),
            ("status, size", "numbers: its status; the bytes of its row and all parts of its body"),
            ("storedAt, age", "string and number of seconds: as of when it is true"),
            ("lifetime, fresh", "number of seconds, and boolean: it may be served without asking"),
            ("invalidated", "boolean: a request has changed what it shows since"),
            ("variant", "array of objects: name and value of the request fields that select it; secrets as …"),
            ("part", "object or null: first, last and total of the bytes it has, where it is a part of the whole"),
            ("complete", "boolean: it is whole, and nothing of its body is gone"),
            ("keptByRule", "boolean: an offline rule keeps it, which its fields forbid"),
            ("forOneClient", "boolean: it sets cookies, and is served to the client that asked alone"),
            ("cacheKind", "string: private or shared, by which it is judged here"),
            ("pinned, usedAt", "boolean, and string or null"),
        ])

    static let explainHTTP = CommandSpec.Table(
        title: "Members of what an HTTP cache keeps (kind httpAnswer):",
        rows: [
            ("decision, sentence", "strings: what a plain GET that selects it does"),
            ("status, bytes, age", "numbers: its status, the bytes of its body, and its age in seconds"),
            ("lifetime, lifetimeFrom", "number of seconds and string: by which field it is fresh for how long"),
            ("fresh, staleFor", "boolean, and number of seconds, or null where it is not stale"),
            ("invalidated, keptByRule", "booleans: an unsafe request changed it; an offline rule alone keeps it"),
            ("forbids", "array of strings: what its fields say against serving it unasked"),
            (
                "whenUnreachable, whenFailing",
                "strings: served, servedByRule or nothing; what is answered otherwise is an error"
            ),
            ("validators", "array of strings: the fields that a request is made conditional with"),
            ("variant", "array of objects: name and value of the request fields that select it; secrets as …"),
            ("cacheKind", "string: private or shared, by which it is judged"),
        ])

    static let warm = CommandSpec.Table(
        title: "Members of the object (--json):",
        rows: [
            ("fetched, fresh, revalidated", "numbers: of URLs, as they ended; redirects count by themselves"),
            ("failed, notStored, left", "numbers: those that failed, may not be stored, or were not begun"),
            ("bytes", "number: of the bodies that were fetched"),
            (
                "urls",
                "array of objects: url, outcome (fetched, fresh, revalidated, failed, notStored or left), status, bytes, and "
                    + "reason (string or null)"
            ),
            ("pinned", "number: the answers that are pinned now"),
            ("ended", "string: done, budget or interrupted (the same command goes on); or failed"),
            ("error", "object or null: kind and message of what kept it from beginning"),
        ])
}
