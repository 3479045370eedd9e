import LarderKit

/// Compares what was seen with what was expected.
struct ExpectationCheck {
    let record: StepRecord
    let script: FeedScript
    /// The list's own URL.
    let base: String
    /// When the step was.
    let time: Double

    /// What is wrong, or `nil`.
    func failure(of expectation: Expectation) -> String? {
        let (wanted, got) = comparison(expectation)
        return wanted == got ? nil : "\(expectation.name): expected \(wanted), got \(got)"
    }

    /// What was expected and what is there, as they are shown. Equal when it is right.
    private func comparison(_ expectation: Expectation) -> (String, String) {
        let facts = record.after
        let known = KnownPlaces(facts: facts, script: script, time: time)
        switch expectation.kind {
        case .timeline(let ids):
            // Whether an item that does not decode counts as shown is left to the case.
            return ids == facts.decodableIDs ? ("", "") : ListDifference.shown(ids, facts.ids)
        case .contains(let ids):
            return missing(ids.filter { !facts.ids.contains($0) })
        case .absent(let ids):
            let there = ids.filter { facts.ids.contains($0) }
            return ("none of them", there.isEmpty ? "none of them" : there.shown)
        case .gaps(let choices):
            return choices.contains(facts.gaps)
                ? ("", "") : (choices.map(\.shown).joined(separator: " or "), facts.gaps.shown)
        case .atEnd(let truth): return ("\(truth)", "\(facts.isAtEnd)")
        case .duplicates(let count): return ("\(count)", "\(facts.ids.count - Set(facts.ids).count)")
        case .count(let count):
            return count == facts.decodableIDs.count ? ("", "") : ("\(count)", "\(facts.ids.count)")
        case .textOf(let texts): return texts.reduce(into: ("", "")) { compare($1, facts, &$0) }
        case .newest(let id): return (id.shown, facts.ids.first.shown)
        case .oldest(let id): return (id.shown, facts.ids.last.shown)
        case .decodeFailures(let count):
            // Whether an item without an id is one that does not decode is left to the case.
            let failures = facts.ids.count - facts.decodableIDs.count
            return count == failures + record.withoutID ? ("", "") : ("\(count)", "\(failures)")
        case .error(let truth): return ("\(truth)", "\(record.failure != nil)")
        case .change(let change, let ids): return ListDifference.shown(ids, record.ids(change))
        case .anchorIndexBefore(let index): return (index.shown, anchorIndex(record.before).shown)
        case .anchorIndexAfter(let index): return (index.shown, anchorIndex(facts).shown)
        case .containedOrGap(let ids): return missing(ids.filter { !known.accounts(for: $0) })
        case .requests, .requestsAtMost, .parameter, .url, .authorizedElsewhere: return ofRequests(expectation.kind)
        }
    }

    private func ofRequests(_ kind: Expectation.Kind) -> (String, String) {
        let requests = record.requests
        switch kind {
        case .requests(let count):
            return ("\(count)", "\(requests.count)")
        case .requestsAtMost(let count):
            return requests.count <= count ? ("", "") : ("at most \(count)", "\(requests.count)")
        case .parameter(let name, let choices):
            let values = requests.map { $0.parameter(name) }
            return values.contains { choices.contains($0) }
                ? ("", "")
                : (
                    choices.map(\.shown).joined(separator: " or "),
                    values.isEmpty ? "no request" : values.map(\.shown).joined(separator: ", ")
                )
        case .url(let url):
            return requests.contains { $0.asks(for: url) }
                ? ("", "") : (url, requests.isEmpty ? "no request" : requests.map(\.url).joined(separator: ", "))
        case .authorizedElsewhere(let count):
            return ("\(count)", "\(requests.count { $0.isAuthorized && $0.isElsewhere(than: base) })")
        default:
            return ("", "")
        }
    }

    private func missing(_ ids: [ItemID]) -> (String, String) {
        ids.isEmpty ? ("", "") : ("all of them", "all but \(ids.shown)")
    }

    private func compare(_ text: (key: ItemID, value: String?), _ facts: FeedFacts, _ result: inout (String, String)) {
        let row = facts.rows.first { $0.id == text.key }
        guard row == nil || row?.text != text.value, result.0.isEmpty else { return }
        result = (
            "\(text.key): \(text.value.shown)", row.map { "\(text.key): \($0.text.shown)" } ?? "\(text.key) is missing"
        )
    }

    private func anchorIndex(_ facts: FeedFacts) -> Int? {
        record.anchor.flatMap { facts.ids.firstIndex(of: $0) }
    }
}
