import Foundation

/// How large the pages of a file are, told by the pages themselves.
///
/// The header's word counts as one guess among others: a single wrong bit there would make rubbish of every page.
enum PageSizeGuess {
    /// Of a size, at most so many pages are looked at.
    private static let sample: UInt32 = 64

    /// - Returns: `nil` when no page looks like one of a b-tree, at any size.
    static func source(file: Data, log: LogOverlay?, header: DatabaseHeader?) -> PageSource? {
        var guesses: [(size: Int, reserved: Int)] = []
        if let header, let size = header.pageSize, size - header.reserved >= 480 {
            let source = PageSource(file: file, log: log, pageSize: size, reserved: header.reserved)
            let found = look(at: source)
            // Most pages are right, so the header is.
            if found.whole > 0, found.whole * 2 >= found.all { return source }
            guesses.append((size, header.reserved))
        }
        for size in log.map({ [$0.pageSize] }) ?? PageSize.all {
            guesses += PageSize.reserved.map { (size, $0) }
        }
        var best: (source: PageSource, bytes: Int)?
        for guess in guesses where guess.size - guess.reserved >= 480 {
            let source = PageSource(file: file, log: log, pageSize: guess.size, reserved: guess.reserved)
            let bytes = look(at: source).whole * guess.size
            if bytes > best?.bytes ?? 0 { best = (source, bytes) }
        }
        return best?.source
    }

    /// How many pages of a sample look like pages of a b-tree, and how many of them are whole.
    private static func look(at source: PageSource) -> (all: Int, whole: Int) {
        let step = Int(clamping: max(1, source.pageCount / sample))
        let pages = stride(from: 1, through: source.pageCount, by: step).compactMap(source.treePage)
        return (pages.count, pages.count { $0.isWellFormed && ($0.cellCount > 0 || $0.number == 1) })
    }
}
