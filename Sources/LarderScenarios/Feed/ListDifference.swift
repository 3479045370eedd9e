import LarderKit

/// Two lists side by side, long ones shortened around the first difference.
enum ListDifference {
    private static let context = 3

    static func shown(_ expected: [ItemID], _ got: [ItemID]) -> (String, String) {
        guard expected != got else { return ("", "") }
        let first = zip(expected, got).prefix { $0 == $1 }.count
        return (excerpt(expected, around: first), excerpt(got, around: first))
    }

    private static func excerpt(_ ids: [ItemID], around place: Int) -> String {
        let start = max(0, min(place, ids.count) - context)
        let end = min(ids.count, place + context)
        var parts = ids[start..<end].map(\.rawValue)
        if start > 0 { parts.insert("…", at: 0) }
        if end < ids.count { parts.append("…") }
        let count = start > 0 || end < ids.count ? " (\(ids.count))" : ""
        return "[\(parts.joined(separator: ", "))]\(count)"
    }
}

extension [ItemID] {
    var shown: String {
        let ids = prefix(8).map(\.rawValue) + (count > 8 ? ["… (\(count))"] : [])
        return "[\(ids.joined(separator: ", "))]"
    }
}

extension [Gap] {
    var shown: String {
        let gaps = prefix(8).map { "(\($0.above), \($0.below))" } + (count > 8 ? ["… (\(count))"] : [])
        return "[\(gaps.joined(separator: ", "))]"
    }
}

extension Optional {
    /// The value as JSON would write it.
    var shown: String { map { "\($0)" } ?? "null" }
}
