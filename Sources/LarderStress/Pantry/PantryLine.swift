/// What a process says of its work: that something is about to be done, and that it has been.
enum PantryLine: Sendable, Hashable {
    enum Work: Sendable, Hashable {
        /// Storing this version, which is the number of the line.
        case store(String)
        case remove(String)
        case signOut(String)
        /// The server of a feed has so many items from now on.
        case grow(PantryFeed, Int)
        /// An answer of the server is taken in.
        case load(PantryFeed)
        /// Items are forgotten.
        case trim(PantryFeed)
        case removeItem(Int)
        /// What is stored is said to be stale.
        case invalidate
    }

    enum Result: Sendable, Hashable {
        case done
        /// These items are stored.
        case inserted([Int])
        /// It was not kept, and that was said.
        case refused
        case failed(String)
    }

    case begin(Int, Work)
    case end(Int, Result)
}

extension PantryLine: CustomStringConvertible {
    var description: String {
        switch self {
        case .begin(let number, let work):
            switch work {
            case .store(let place): "b \(number) store \(place)"
            case .remove(let place): "b \(number) remove \(place)"
            case .signOut(let partition): "b \(number) signout \(partition)"
            case .grow(let feed, let total): "b \(number) grow \(feed.rawValue) \(total)"
            case .load(let feed): "b \(number) load \(feed.rawValue)"
            case .trim(let feed): "b \(number) trim \(feed.rawValue)"
            case .removeItem(let id): "b \(number) gone \(id)"
            case .invalidate: "b \(number) invalidate"
            }
        case .end(let number, let result):
            switch result {
            case .done: "e \(number) done"
            case .inserted(let ids): "e \(number) inserted \(ids.map { "\($0)" }.joined(separator: ","))"
            case .refused: "e \(number) refused"
            case .failed(let reason): "e \(number) failed \(reason)"
            }
        }
    }

    /// The line that a text says, or `nil` if it is none.
    init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map { String($0) }
        guard words.count >= 3, let number = Int(words[1]) else { return nil }
        let rest = words.count > 3 ? words[3] : ""
        switch words[0] {
        case "b":
            guard let work = Work(words[2], rest) else { return nil }
            self = .begin(number, work)
        case "e":
            guard let result = Result(words[2], rest) else { return nil }
            self = .end(number, result)
        default: return nil
        }
    }
}

extension PantryLine.Work {
    fileprivate init?(_ word: String, _ rest: String) {
        let words = rest.split(separator: " ").map { String($0) }
        let feed = words.first.flatMap { PantryFeed(rawValue: $0) }
        switch (word, feed) {
        case ("store", _): self = .store(rest)
        case ("remove", _): self = .remove(rest)
        case ("signout", _): self = .signOut(rest)
        case ("grow", let feed?):
            guard let total = words.last.flatMap({ Int($0) }) else { return nil }
            self = .grow(feed, total)
        case ("load", let feed?): self = .load(feed)
        case ("trim", let feed?): self = .trim(feed)
        case ("gone", _):
            guard let id = Int(rest) else { return nil }
            self = .removeItem(id)
        case ("invalidate", _): self = .invalidate
        default: return nil
        }
    }
}

extension PantryLine.Result {
    fileprivate init?(_ word: String, _ rest: String) {
        switch word {
        case "done": self = .done
        case "inserted": self = .inserted(rest.split(separator: ",").compactMap { Int($0) })
        case "refused": self = .refused
        case "failed": self = .failed(rest)
        default: return nil
        }
    }
}
