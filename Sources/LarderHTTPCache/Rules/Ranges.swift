internal import LarderKit

extension StoredAnswer.Part {
    /// What `Content-Range: bytes 0-4/10` says (RFC 9110 section 14.4); `nil` unless it is one line that makes sense.
    init?(contentRange headers: HeaderFields) {
        let lines = headers.values(of: "Content-Range")
        guard lines.count == 1, let space = lines[0].firstIndex(of: " "),
            String(lines[0][..<space]).equalsIgnoringCase("bytes")
        else { return nil }
        let halves = lines[0][lines[0].index(after: space)...].split(separator: "/", omittingEmptySubsequences: false)
        let ends = halves.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        guard halves.count == 2, ends.count == 2, let first = Decimal.parse(ends[0]), let last = Decimal.parse(ends[1]),
            first <= last, last < Decimal.limit
        else { return nil }
        let total = Decimal.parse(halves[1])
        guard total.map({ last < $0 }) ?? (halves[1] == "*") else { return nil }
        self.init(first: first, last: last, total: total)
    }

    var count: Int { last - first + 1 }
}

extension StoredAnswer {
    /// The origin said that other bytes came than did: they are never put together with others.
    package var isMisstated: Bool { part.map { $0.count != size } ?? false }
}

extension HTTPRules {
    static func rangeForm(_ request: HeaderFields, _ stored: StoredAnswer) -> Serving.Form? {
        let requested = fitsIfRange(request, stored) ? RequestedRange(request) : .none
        switch (requested, stored.part) {
        case (.single(let range), nil):
            guard stored.status == 200 else { return .whole }
            return resolved(range, size: stored.size)
        case (.single(let range), let part?): return resolved(range, part, size: stored.size).map { .part($0) }
        case (.several, nil): return stored.status == 200 ? nil : .whole
        case (.none, nil): return .whole
        case (_, .some): return nil
        }
    }

    private static func resolved(_ range: RequestedRange.Single, size: Int) -> Serving.Form {
        switch range {
        case .from(let first, let last):
            return first < size ? .part(first...min(last ?? .max, size - 1)) : .unsatisfiable
        case .suffix(let count):
            guard count > 0 else { return .unsatisfiable }
            // There is no way to say "these none bytes".
            return size > 0 ? .part(max(0, size - count)...(size - 1)) : .whole
        }
    }

    /// The bytes asked for, where all of them are here.
    ///
    /// Of a part whose origin misstated its length, nobody knows which end is right: a range that says where it starts is
    /// counted from the first byte, one that says how many from the end from the last, and what goes out says what it is.
    private static func resolved(_ range: RequestedRange.Single, _ part: StoredAnswer.Part, size: Int)
        -> ClosedRange<Int>?
    {
        let isMisstated = part.count != size
        guard size > 0, size <= part.count else { return nil }
        switch range {
        case .from(let first, let last):
            guard let end = last ?? part.total.map({ $0 - 1 }), first >= part.first else { return nil }
            let wanted = min(end, part.total.map { $0 - 1 } ?? .max)
            let held = isMisstated ? min(wanted, part.first + size - 1) : wanted
            return first <= held && wanted <= part.last ? first...held : nil
        case .suffix(let count):
            guard let total = part.total, part.last == total - 1, count > 0 else { return nil }
            let wanted = min(count, total)
            return wanted <= size ? (total - wanted)...part.last : nil
        }
    }

    /// Where in the stored bytes those of a form lie.
    package static func bytes(of form: Serving.Form, in stored: StoredAnswer) -> Range<Int> {
        switch form {
        case .whole: return 0..<stored.size
        case .notModified, .unsatisfiable: return 0..<0
        case .part(let range):
            let count = range.upperBound - range.lowerBound + 1
            guard let part = stored.part else { return within(range.lowerBound, count, stored.size) }
            let start = range.upperBound == part.last ? stored.size - count : range.lowerBound - part.first
            return within(start, count, stored.size)
        }
    }

    private static func within(_ start: Int, _ count: Int, _ size: Int) -> Range<Int> {
        let first = max(0, min(start, size))
        return first..<min(size, first + max(0, min(count, size - first)))
    }
}
