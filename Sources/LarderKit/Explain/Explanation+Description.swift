import Foundation

extension Explanation: CustomStringConvertible {
    /// The decision and what it rests on, a line each, without anything private.
    public var description: String {
        let lines = lines(isPrivate: false)
        let width = lines.map(\.label.count).max() ?? 0
        return lines.map { label, text in
            label + String(repeating: " ", count: width - label.count + 2) + text
        }.joined(separator: "\n")
    }

    /// The lines in two parts.
    ///
    /// - Parameter isPrivate: Whether what the app named is told: its origin and tags.
    package func lines(isPrivate: Bool) -> [(label: String, text: String)] {
        var lines = [("a read", sentence), ("what", subject.words), ("stored", storedWords)]
        if let trouble { lines.append(("trouble", trouble)) }
        if let stored { lines += stored.lines }
        if let page { lines += page.lines }
        lines.append(("policy", policyWords))
        if stored != nil, policy.kind != .cacheOnly, policy.kind != .networkOnly {
            lines.append(("patience", patience.inWords))
            let limit = staleIfError.map { "if stale for no longer than \($0.inWords)" } ?? "however stale"
            lines.append(("on failure", "what is stored is shown, \(limit)"))
        }
        lines.append(("network", network.connectivity.rawValue))
        lines.append(("server", network.serverWords(naming: isPrivate)))
        lines.append(("under way", network.underWay.words))
        if !tags.isEmpty {
            lines.append(("tags", isPrivate ? tags.joined(separator: ", ") : "\(tags.count)"))
        }
        return lines
    }

    private var storedWords: String {
        guard let stored else { return trouble == nil ? "nothing" : "cannot be read" }
        let size = "\(stored.bytes) bytes" + (stored.codec.map { ", codec \($0)" } ?? "")
        return size + ", \(stored.storedAt.formatted(.iso8601)), "
            + (stored.age < .zero ? "in the future: the clock was set back" : "\(stored.age.inWords) old")
    }

    private var policyWords: String {
        policy.words + (policy.window.map { ", for \($0.inWords) after it became stale" } ?? "")
    }
}

extension Explanation.Subject {
    fileprivate var words: String {
        switch self {
        case .resource(let storage): "a value, kept in \(storage == "database" ? "the database" : storage)"
        // The id of an item is nobody else's business.
        case .feed(.newest): "the newest page of a feed"
        case .feed(.older): "a page of a feed, older than an item"
        case .feed(.newer): "a page of a feed, newer than an item"
        }
    }
}

extension Explanation.Stored {
    fileprivate var lines: [(label: String, text: String)] {
        let source =
            switch lifetimeSource {
            case .app: "\(lifetime.inWords), by the app"
            case .server: "\(lifetime.inWords), by the server"
            case .none: "none: neither the app nor the server gives one"
            }
        let state =
            if isInvalidated {
                "stale: the app has said that it has changed"
            } else if isFresh {
                "fresh for \((lifetime - age).inWords) more"
            } else {
                age < .zero ? "stale" : "stale for \(staleFor.inWords)"
            }
        let windows = [
            stale.whileRevalidate.map { "\($0.inWords) while asking" },
            stale.ifError.map { "\($0.inWords) on failure" },
        ].compactMap { $0 }
        return [
            ("lifetime", source), ("state", state),
            ("validators", validators.isEmpty ? "none" : validators.joined(separator: ", ")),
        ] + (windows.isEmpty ? [] : [("server allows stale", windows.joined(separator: ", "))])
    }
}

extension Explanation.Page {
    fileprivate var lines: [(label: String, text: String)] {
        let asked =
            switch asked {
            case .nothing: "for nothing"
            case .missing: "for what is missing"
            case .wholePage: "for the whole page"
            }
        let count = items == 1 ? "1 item" : "\(items) items"
        return [
            ("page", "\(count), \(isComplete ? "complete" : "incomplete")"),
            ("gaps below", gapsBelow.map { "\($0)" } ?? "not known"),
            ("asks", asked),
        ]
    }
}

extension ReadPolicy {
    fileprivate var words: String {
        switch kind {
        case .cacheFirst: "cache first"
        case .staleWhileRevalidate: "stale while revalidate"
        case .networkFirst: "network first"
        case .cacheOnly: "cache only"
        case .networkOnly: "network only"
        }
    }
}

extension Explanation.Network {
    fileprivate func serverWords(naming: Bool) -> String {
        let name = naming ? origin.map { "\($0): " } ?? "" : ""
        return switch standing {
        case .open: name + "may be asked"
        case .heldBack(let remaining, let failure):
            name + "left alone" + (remaining > .zero ? " for \(remaining.inWords) more" : "") + " (\(failure))"
        case .probeDue(let failure): name + "one request may find out whether it is back (\(failure))"
        }
    }
}

extension Explanation.UnderWay {
    fileprivate var words: String {
        switch self {
        case .nobody: "no request"
        case .unknown: "not known"
        case .thisProcess: "a request of this process"
        case .anotherProcess: "a request of another process"
        }
    }
}

extension Duration {
    /// `250 ms`, `3 s`, `12 min`, `5 h`, `3 days`, rounded down.
    var inWords: String {
        let milliseconds = max(0, milliseconds)
        return switch milliseconds {
        case ..<1000: "\(milliseconds) ms"
        case ..<10_000 where milliseconds % 1000 >= 100: "\(Double(milliseconds / 100) / 10) s"
        case ..<120_000: "\(milliseconds / 1000) s"
        case ..<7_200_000: "\(milliseconds / 60_000) min"
        case ..<172_800_000: "\(milliseconds / 3_600_000) h"
        default: "\(milliseconds / 86_400_000) days"
        }
    }
}
