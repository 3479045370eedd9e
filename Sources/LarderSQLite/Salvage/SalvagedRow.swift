/// A row, or an entry of an index, as it was read from its page.
package struct SalvagedRow: Sendable {
    /// `nil` in an index and in a table without row ids.
    package let rowID: Int64?
    /// As stored: an `INTEGER PRIMARY KEY` is null here, a real without a fraction an integer, columns added to the table after
    /// the row are missing, and text that is no text in the file's encoding comes as bytes.
    package let values: [SQLValue]
    /// The page it was found on.
    package let page: UInt32
}

/// How whole a b-tree was found to be.
package struct TreeVerdict: Sendable {
    /// A page and what is wrong with it.
    package struct Fault: Sendable, Hashable {
        package enum Reason: String, Sendable {
            case missing = "is not there"
            case notOfTree = "is no page of this tree"
            case metTwice = "is referred to twice"
            case malformed = "has a broken layout"
            case misplaced = "lies in the wrong place of its tree"
            case damagedRow = "holds a row that cannot be read"
        }

        package let page: UInt32
        package let reason: Reason
    }

    package private(set) var pagesRead = 0
    /// The first of them.
    package private(set) var faults: [Fault] = []
    package private(set) var faultCount = 0
    /// Rows that are there and cannot be read.
    package private(set) var damagedRows = 0

    /// Every page of the tree was read and fits, and with it every row.
    package var isComplete: Bool { faultCount == 0 }

    package init() {}

    mutating func countPage() { pagesRead += 1 }

    mutating func add(_ reason: Fault.Reason, page: UInt32) {
        faultCount += 1
        if reason == .damagedRow { damagedRows += 1 }
        if faults.count < 20 { faults.append(Fault(page: page, reason: reason)) }
    }
}
