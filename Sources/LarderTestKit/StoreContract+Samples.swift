import Foundation
import LarderKit

extension StoreContract {
    static let codec = CodecID(name: "sample")
    /// Noon on 15 January 2026, UTC.
    static let noon = Date(timeIntervalSince1970: 1_768_478_400)

    static func entry(_ body: Data, stamp: Int64 = 0) -> StoredEntry {
        StoredEntry(body: body, metadata: EntryMetadata(codec: codec, stamp: stamp, storedAt: noon))
    }

    static func entry(_ text: String, stamp: Int64 = 0) -> StoredEntry {
        entry(Data(text.utf8), stamp: stamp)
    }

    /// Names that file systems, URLs, C strings and `String` itself take for something else, or for one another.
    static let names: [String] = [
        "plain", "", " ", ".", "..", "a/b", "a/../../b", "/", "//", "/etc/larder", "a\\b", "C:x", "con", "~", "%",
        "%2F", "%2f", "%252F", "*", "?", "a:b", "'; DROP TABLE larder_entry; --",
        // Differ in case alone, and stay apart where the file system does not tell them apart.
        "A", "a", "Key", "kEY",
        // Equal as `String`s: e with an accent, composed and decomposed.
        "\u{E9}", "e\u{301}",
        "nul\0byte", "nul", "nul\0", "line\nbreak", "line\r\nbreak", "tab\t", "\u{7F}", "\u{202E}abc", "😀", "\u{FEFF}",
        // Look like something of the store's own.
        ".hidden", "trailing.", "trailing ", "plain.entry", ".writing-1", "cache.sqlite",
        // Longer than a file name may be, and different only at the end, or only in case.
        longURL, longURL + "1", longURL + "2", longURL.uppercased(), "x." + String(repeating: "j", count: 300),
        String(repeating: "é", count: 200), String(repeating: "😀", count: 100),
    ]

    private static let longURL =
        "https://maps.example.test/static?size=320x320&path="
        + String(repeating: "weight:5%7Cenc:y", count: 60)
}

extension EntryMetadata {
    /// With its time in whole milliseconds, which is how finely a store must keep it.
    var rounded: EntryMetadata {
        var metadata = self
        metadata.storedAt = Date(timeIntervalSince1970: (storedAt.timeIntervalSince1970 * 1000).rounded() / 1000)
        return metadata
    }
}

extension EntrySummary {
    var rounded: EntrySummary { EntrySummary(key: key, size: size, metadata: metadata.rounded) }
}
