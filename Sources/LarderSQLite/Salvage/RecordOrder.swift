/// The order of an index's entries under the collation `BINARY`, all columns ascending.
enum RecordOrder {
    /// Whether `first` comes before `second`; equal ones do not.
    static func isAscending(_ first: [SQLValue], _ second: [SQLValue]) -> Bool {
        for (one, other) in zip(first, second) {
            if isLess(one, other) { return true }
            if isLess(other, one) { return false }
        }
        return first.count < second.count
    }

    private static func isLess(_ one: SQLValue, _ other: SQLValue) -> Bool {
        switch (one, other) {
        case (.integer(let one), .integer(let other)): one < other
        case (.text(let one), .text(let other)): one.utf8.lexicographicallyPrecedes(other.utf8)
        case (.blob(let one), .blob(let other)): one.lexicographicallyPrecedes(other)
        case (.real(let one), .real(let other)): one < other
        case (.integer(let one), .real(let other)): Double(one) < other
        case (.real(let one), .integer(let other)): one < Double(other)
        default: rank(one) < rank(other)
        }
    }

    private static func rank(_ value: SQLValue) -> Int {
        switch value {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}
