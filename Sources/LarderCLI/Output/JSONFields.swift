/// What the objects of `--json` hold, for the help. ``Report/members`` and those who add to them make the objects.
enum JSONFields {
    static let document = fields(
        own: [
            (
                "value",
                "the document as the server sent it, or null; where it has line breaks, the object has several lines"
            )
        ],
        complete: "boolean: a value is there")

    static let feed = fields(
        own: [
            (
                "items",
                "array: each item as the server sent it; where one has line breaks, the object has several lines"
            ),
            ("ids", "array of strings: the items' ids, in the same order"),
            (
                "atEnd",
                "boolean, or null without a page: the list is known to end with this page, in the direction of reading"
            ),
        ],
        complete:
            "boolean: this is all that was asked for: as many items as the limit, or all up to the list's end. When "
            + "false, what follows is not known")

    static let feedChange = CommandSpec.Table(
        title: "refresh, older, fill and all, with --json (one object):",
        rows: [
            ("operation", "string: refresh, older, fill or all"),
            ("inserted, updated", "arrays of strings: the ids of what is new, and of what has changed"),
            ("removed, moved", "arrays of strings: what the server showed to be gone, and to stand elsewhere"),
            (
                "remaining",
                "object or null: above and below (strings), the items around the gap that the last request has left"
            ),
            ("requests", "number: how many were sent"),
            ("items, gaps", "numbers: how many are stored now, and how many gaps there are"),
            ("atEnd", "boolean: the list is known to end with the oldest item stored"),
            (
                "ended",
                "string: done; maxRequests or interrupted (the same command goes on); stalled, nothingNew or failed"
            ),
            ("retryAfter", "number or null: for how many seconds the server wants to be left alone, if it said so"),
            ("error, warnings", "as above"),
        ])

    static let feedLists = CommandSpec.Table(
        title: "gaps and show, with --json (one object):",
        rows: [
            ("gaps", "gaps: array of objects: number, above and below; beside it error"),
            (
                "rows",
                "show: array of objects, the newest first: id and item, or gap (number, above and below); beside it the "
                    + "members that a page has, without items and ids"
            ),
        ])

    static let feedEvents = CommandSpec.Table(
        title: "watch, with --json (an object on each line):",
        rows: [
            ("at", "string: when it was seen; ISO 8601 in UTC with milliseconds"),
            ("event", "string: inserted, updated, removed, gap, error or warning"),
            (
                "id, item",
                "of inserted, updated and removed: its id, and, if it is there, the item as the server sent it"
            ),
            ("above, below", "of gap: the items around it"),
            ("kind, message", "of error and warning"),
        ])

    static let explain = CommandSpec.Table(
        title: "Members of the object (--json):",
        rows: [
            (
                "explanations",
                "array of objects, one for each thing stored under the key, with the members below; beside it error"
            ),
            ("partition, key", "strings: the account, and the key without its secrets"),
            ("kind", "string: resource (with storage: database, files or memory) or feed (with position)"),
            ("decision, sentence", "strings: what a reading would do, as one of the words below and as a sentence"),
            ("stored", "boolean: something is stored and can be looked at"),
            ("trouble", "string or null: why what is stored cannot be shown"),
            ("bytes, codec", "number and string: the size as stored, and how it is encoded"),
            ("storedAt, age", "string and number of seconds: as of when it is true"),
            ("lifetime", "number: for how many seconds it is fresh"),
            ("lifetimeFrom", "string: app (--ttl), server or none"),
            ("fresh, staleFor", "boolean, and for how many seconds it has been stale"),
            ("invalidated", "boolean: the app has said that it has changed"),
            ("validators", "array of strings: the fields that a request is made conditional with"),
            ("serverStaleWhileRevalidate, serverStaleIfError", "numbers or null: the server's own limits, in seconds"),
            ("items, complete", "of a feed: how many items of the page are stored, and whether that is all"),
            ("gapsBelow", "of a feed: how many gaps it has from there on downwards; null where that cannot be told"),
            ("asked", "of a feed: what would be asked for: nothing, missing or wholePage"),
            ("policy, staleWindow, patience, staleIfError", "how a reading is made; times in seconds, or null"),
            ("connectivity", "string: unknown, online, suspect or offline"),
            ("origin", "string or null: the server by the name that the program gives it"),
            ("standing", "string: open, heldBack or probeDue; with heldBackFor (seconds) and heldBackBecause"),
            ("underWay", "string: nobody, thisProcess or anotherProcess is asking for it now; or unknown"),
            ("tags", "array of strings"),
        ])

    static let decisions = CommandSpec.Table(
        title: "Values of decision:",
        rows: [
            ("show", "shows what is stored, and asks nobody"),
            ("showInstead", "the same, since the server is left alone for now"),
            ("showAndAsk", "shows what is stored, and asks behind it"),
            ("ask", "asks, and shows what is stored if that fails or takes too long"),
            ("wait", "asks and waits, since nothing else can be shown"),
            ("refuse", "shows nothing and asks nobody: the server wants to be left alone"),
            ("fail", "shows nothing: there is nothing, and the policy never asks"),
        ])

    static let stats = CommandSpec.Table(
        title: "Members of the object (--json):",
        rows: [
            ("folder", "string: the cache"),
            ("size", "number: the bytes of all its files: databaseSize, logSize and filesSize together"),
            ("damaged", "number: the rows and files that cannot be read"),
            ("usage", "object of numbers: what of it counts against a budget, and what does not, as below"),
            (
                "totals",
                "object of numbers: hits, staleHits, revalidated, fetched, requests, bytesReceived, bytesSaved, "
                    + "sharedFlights, sharedAcrossProcesses, retries, heldBack, late, gaps, notKept; and failures, an object "
                    + "of numbers by kind"
            ),
            ("hitRate", "number from 0 to 1, or null: hits and staleHits among these, revalidated and fetched"),
            ("savedRate", "number from 0 to 1, or null: bytesSaved among these and bytesReceived"),
            ("partitions", "array of objects: partition, and numbers: resources, feeds, items, gaps and size"),
            ("signedOut", "array of objects: partition, and how many times everything of it was removed"),
        ])

    static let errorKinds = CommandSpec.Table(
        title: "Values of error.kind:",
        rows: [
            ("offline, timedOut", "no answer came"),
            ("unauthorised, forbidden", "401, 403"),
            ("gone", "404, 410"),
            ("throttled, server", "429, and 500 or above: try later"),
            ("unexpectedStatus", "another status that brings nothing"),
            ("wrongAnswer", "not JSON, cut short, or of another shape"),
            ("other", "the request failed in another way"),
            ("notStored", "nothing is stored of it, and the network was not asked"),
            ("undecodable", "what is stored cannot be read"),
            ("cancelled", "the reading was ended"),
            ("duplicates", "feed: an id stands twice in a page; the page is shown"),
            ("moreThanAsked", "feed: the page is larger than asked for; as much as was asked for is shown"),
            ("stalled, nothingNew", "feed: the server gives nothing to go on with, or nothing new"),
            ("noSuchGap", "feed: there are fewer gaps"),
            ("missing, notPermitted", "the cache's folder is not there or no folder; may not be read or written"),
            ("busy, full", "another process holds the cache; its disk is full"),
            ("notALarder, newerFormat", "no cache of this tool, or one of a newer version"),
            ("corrupt, closed, storage", "the cache is damaged, or fails in another way"),
        ])

    static let warningKinds = CommandSpec.Table(
        title: "Values of a warning's kind:",
        rows: [
            ("notKept", "it is shown and could not be stored"),
            ("httpAnswer", "get: it is what an HTTP cache keeps of the URL; nothing is stored as a document"),
            ("superseded", "a later answer is stored already"),
            ("undecodableItems", "feed: items that cannot be read are left out"),
            ("itemsWithoutID", "feed: items without an id are not kept"),
            ("duplicates", "feed: an id stands twice in the page"),
            ("outsideInterval", "feed: items outside what was asked for"),
            ("notPlaced", "feed: items are shown and not kept, since their place in the list is not known"),
            ("outOfOrder", "feed: the page is not in the list's order"),
            ("emptyAnswerDistrusted", "feed: the server showed nothing where items are stored"),
            ("cutToSize", "feed: a page far larger than asked for was cut"),
            ("assumedNeighbours", "feed: pages stand side by side without proof (--assume-neighbours)"),
            ("unfollowed", "feed: a full first page says nothing of a next one, and is taken for the last"),
            ("stalled", "feed: there is nothing to go on with, until the head is asked for again"),
            ("notAdjoining", "feed: the items are kept, and not known to stand next to the place asked for"),
        ])

    private typealias Row = (name: String, meaning: String)

    private static func fields(own: [(name: String, meaning: String)], complete: String) -> CommandSpec.Table {
        let common: [Row] = [
            (
                "source",
                "string or null: network, cache, or revalidated (from the cache, which the server called unchanged)"
            ),
            ("storedAt", "string or null: as of when it is true, its oldest part; ISO 8601 in UTC with milliseconds"),
            ("age", "number or null: the seconds since then"),
            ("stale", "boolean or null: it is older than may be shown without asking again"),
            ("complete", complete),
            (
                "reason",
                "string or null: fetched, notModified, fresh, staleWhileRevalidate, networkFailed, patienceRanOut, "
                    + "presumedOffline, heldBack, notKept, nothingToAsk, peeked or cacheOnly"
            ),
            (
                "error",
                "object or null: kind and message (strings) of what went wrong; something may be shown all the same"
            ),
            ("warnings", "array of objects: kind and message (strings) of remarks"),
            ("explain", "object, with --explain only: see 'larder help explain'; null where nothing could be told"),
        ]
        let title = "Members of the object (--json; a mistake of the command line, 64, prints none):"
        return CommandSpec.Table(title: title, rows: own + common)
    }
}
