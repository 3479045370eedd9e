import LarderKit

/// Where a continuation leads, and what a page gives to go on with.
extension ServedList {
    /// Where the page begins that a request goes on with.
    func start(of question: Question, size: Int) throws(Refusal) -> Int {
        let rules = question.rules
        switch (rules.continuations, question.request.continuation) {
        case (_, nil):
            return entries.startIndex
        case (.cursor, .cursor(let text)):
            return try start(after: text, question)
        case (.link, .link(let target)):
            guard let cursor = ServedLink.cursor(in: target) else { throw Refusal(status: 404) }
            return try cursor.map { text throws(Refusal) in try start(after: text, question) } ?? entries.startIndex
        case (.pageNumber(let first), .page(let number)):
            guard number >= first else { throw Refusal(status: 400) }
            let (page, isFarAway) = number.subtractingReportingOverflow(first)
            return isFarAway || page > entries.count / size ? entries.endIndex : page * size
        case (.offset, .offset(let offset)):
            guard offset >= 0 else { throw Refusal(status: 400) }
            return min(offset, entries.endIndex)
        case (.none, _), (.cursor, _), (.link, _), (.pageNumber, _), (.offset, _):
            if rules.unsupported == .refused { throw Refusal(status: 400) }
            return entries.startIndex
        }
    }

    private func start(after text: String, _ question: Question) throws(Refusal) -> Int {
        guard let cursor = ServedCursor(text) else { throw Refusal(status: 400) }
        if case .changes(let count, let status) = question.rules.cursorLife, question.version - cursor.version > count {
            throw Refusal(status: status)
        }
        guard let mark = cursor.mark else { return entries.startIndex }
        guard let above = marks.through(mark) else { throw Refusal(status: 400) }
        return entries.firstIndex { !above.contains($0.mark) } ?? entries.endIndex
    }

    /// What is said of the entries behind a page of an interval.
    func following(_ page: Range<Int>, of interval: Range<Int>, _ question: Question, size: Int) -> PageFollowing {
        let hasMore = page.count < interval.count
        guard question.rules.continuations.isGiven else {
            return question.rules.endOfList == .said && !hasMore ? .nothing : .unknown
        }
        let end: Int
        if case .loop(let pages) = question.fault {
            end = max(interval.lowerBound - (max(pages, 1) - 1) * size, entries.startIndex)
        } else {
            guard hasMore else { return .nothing }
            end = page.upperBound
        }
        let mark = end == entries.startIndex ? nil : entries[end - 1].mark
        let cursor = ServedCursor(mark: mark, version: question.version)
        guard question.rules.continuations == .link else { return .more(.cursor(cursor.text)) }
        let target = ServedLink.target(cursor, isForeign: question.fault == .foreignLink)
        return target.map { .more(.link($0)) } ?? .nothing
    }
}

extension SimulatedFeedServer.Rules.Continuations {
    /// Whether an answer gives what to go on with, and not the reader's own count.
    var isGiven: Bool { self == .cursor || self == .link }
}
