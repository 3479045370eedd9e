import Foundation
import LarderKit
import LarderTestKit

/// A case of the format `steps/1` that has steps: a value that is put and read, links that come and go, clocks that jump.
struct StepsScript: Sendable {
    let steps: [StoreStep]
    let start: Date
    /// What is known about the network before the first step.
    let initial: Connectivity
    /// How many feeds are followed from the beginning.
    let feeds: Int
    /// What the case expects and nothing here can check.
    let unchecked: Set<String>

    static let known: Set<String> = ["format", "case", "area", "title", "source", "variants", "feeds", "now", "steps"]

    init(_ value: ScriptValue) throws(CaseFailure) {
        let fields = try ScriptFields(value, at: "the case", known: Self.known)
        var steps: [StoreStep] = []
        for (index, value) in (try fields.list("steps") ?? []).enumerated() {
            steps.append(try StoreStep(value, number: index + 1))
        }
        guard !steps.isEmpty else { throw CaseFailure("the case does nothing") }
        self.steps = steps
        start = try fields.date("now") ?? steps.first?.wall ?? ManualClock.defaultStart
        // A link that comes up was down, and the other way round.
        initial =
            switch steps[0].event {
            case .online: .offline
            case .offline, .suspect: .online
            case .unknown, nil: .unknown
            }
        let expectations = steps.flatMap(\.expectations)
        feeds = try fields.count("feeds") ?? (expectations.contains(where: \.isOfFeeds) ? 5 : 0)
        unchecked = Set(expectations.filter(\.isUnchecked).map { "\($0.name), since there is no outbox yet" })
    }

    /// Whether a value is there before the first step, since the first thing done with it is to read it.
    var beginsWithValue: Bool {
        for step in steps {
            switch step.operation {
            case .read: return true
            case .put, .get: return false
            default: continue
            }
        }
        return false
    }
}
