import LarderHTTPCache

/// What became of one URL.
struct WarmResult: Sendable, Hashable {
    enum Outcome: String, Sendable, Hashable, CaseIterable {
        case fetched
        /// It was stored already, and need not be asked for.
        case fresh
        /// It was stored, and the origin has said that it still holds.
        case revalidated
        case failed
        /// It came, and may not be stored, or could not be.
        case notStored
        /// It was not begun, or left for its size.
        case left

        var isTrouble: Bool { self == .failed || self == .notStored }
    }

    let url: String
    var outcome: Outcome
    var status: Int?
    var bytes = 0
    var reason: String?
    /// The request fields that it varies by.
    var vary: [String] = []
    var isPinned = false
}

/// How far a run has come.
struct WarmTally: Sendable, Hashable {
    let ended: Int
    let all: Int
    let failed: Int
    let bytes: Int

    /// `[#####-----] 120 of 240, 3.4 MB, 2 failed`
    var line: String {
        let width = 20
        let done = all == 0 ? width : width * ended / all
        let bar = String(repeating: "#", count: done) + String(repeating: "-", count: width - done)
        let trouble = failed > 0 ? ", \(failed) failed or not stored" : ""
        return "[\(bar)] \(ended) of \(all), \(Units.size(bytes))\(trouble)"
    }
}

extension StorePlan.Reason {
    /// Why an answer is not stored, and what would.
    var sentence: String {
        switch self {
        case .noStore: "it is marked no-store; --rule 'HOST=keep-no-store' keeps it for when the origin is away"
        case .isPrivate: "it is marked private; --private keeps it for one user"
        case .authorization:
            "it was asked for with credentials, and a shared cache gives it to nobody; --private keeps it"
        case .cookie: "it sets a cookie, and a shared cache gives it to nobody else; --private keeps it"
        case .varies: "Vary: * says that no other request gets it"
        case .status: "answers of this status are not stored"
        case .notReusable: "it does not say for how long it is fresh, and its status allows no guess"
        case .size: "it is larger than half of what the cache keeps (--cache-budget)"
        case .worse: "what is stored is the better answer"
        case .endless: "it is a stream without an end"
        case .method, .requestNoStore, .malformedRange: rawValue
        }
    }
}
