import Foundation
import LarderKit

/// All that a cache holds, part by part, in words: to be compared.
struct FaultContents: Sendable, Hashable {
    private(set) var parts: [String: String] = [:]
    /// The lists that show what their server did not.
    private var wrongLists: Set<String> = []
    /// What is wrong by itself.
    private(set) var troubles: [String] = []

    init(of folder: URL) async {
        troubles = await Soundness.troubles(of: folder)
        do {
            let scene = try FaultScene(folder, options: Soundness.options())
            defer { scene.larder.close() }
            let state = PantryState(of: scene.larder)
            troubles += state.troubles
            for (place, value) in state.values { parts[place] = "\(value)" }
            let model = PantryModel(totals: FaultScene.totals)
            for (feed, rows) in state.feeds {
                parts["\(feed)"] = rows.text(of: feed)
                let findings = model.findings(in: rows, of: feed, forgets: true)
                if !findings.isEmpty { wrongLists.insert("\(feed)") }
            }
            addMarks(of: scene)
        } catch {
            troubles.append("the cache cannot be opened: \(error)")
        }
        for case (let part, let text) in parts where text.contains("wrong") { troubles.append("\(part): \(text)") }
    }

    /// What is known of things besides what they show: that they are stale, pinned, read up to somewhere.
    private mutating func addMarks(of scene: FaultScene) {
        do {
            for place in PantryPlace.all {
                // A resource without a lifetime is stale anyway: it is what was said of it that counts.
                let stale = try scene.stalePeek(place)
                parts["\(place)", default: ""] += " stale: \(stale.map { "\($0)" } ?? "-")"
            }
            for spec in PantryFeed.allCases {
                let feed = scene.longFeed(spec)
                let isStale = try feed.peek(limit: 1)?.isStale
                let anchor = try feed.anchor()
                let marks =
                    " stale: \(isStale ?? true), pinned: \(try feed.isPinned()), anchor: \(anchor?.rawValue ?? "-")"
                parts["\(spec)", default: ""] += marks
            }
        } catch {
            troubles.append("the cache cannot be read: \(error)")
        }
    }

    /// The same, with those values that were forgotten to make room taken for what they were before.
    ///
    /// - Parameter places: Where values may have gone.
    func remembering(_ places: Set<String>, of old: FaultContents) -> FaultContents {
        var contents = self
        for place in places where parts[place]?.hasPrefix("version(0)") == true {
            contents.parts[place] = old.parts[place]
        }
        return contents
    }

    /// What is neither as in one nor as in the other.
    func differences(from old: FaultContents, or new: FaultContents, by unit: FaultCase.Unit) -> [String] {
        switch unit {
        case .everything:
            guard parts != old.parts, parts != new.parts else { return [] }
            return Set(old.parts.keys).union(new.parts.keys).sorted().filter { old.parts[$0] != new.parts[$0] }.map {
                "\($0) is \(parts[$0] ?? "-"), was \(old.parts[$0] ?? "-"), should be \(new.parts[$0] ?? "-")"
            }
        case .eachPart:
            return stray(old, new)
        case .eachAnswer:
            let lists = PantryFeed.allCases.map { "\($0)" }
            return stray(old, new, besides: Set(lists).subtracting(wrongLists))
        }
    }

    private func stray(
        _ old: FaultContents, _ new: FaultContents, besides passed: Set<String> = []
    ) -> [String] {
        parts.sorted { $0.key < $1.key }
            .filter { !passed.contains($0.key) && old.parts[$0.key] != $0.value && new.parts[$0.key] != $0.value }
            .map { "\($0.key) is neither old nor new: \($0.value)" }
    }
}

extension PantryState.Feed {
    /// The ids, with a mark at those whose bytes are not theirs.
    fileprivate func text(of feed: PantryFeed) -> String {
        let list = PantryList(feed: feed, total: 0)
        let words = rows.map { row in
            switch row {
            case .gap: "|"
            case .item(let id, let text): text == list.text(id) ? "\(id)" : "\(id)!"
            }
        }
        return (words + (isAtEnd ? ["end"] : [])).joined(separator: " ")
    }
}

extension FaultScene {
    /// Whether a value that would otherwise be fresh was said to be stale; `nil` where there is none.
    fileprivate func stalePeek(_ place: PantryPlace) throws -> Bool? {
        let options = ResourceOptions(storage: place.isInFile ? .files : .database)
        let resource = larder.partition(place.partition).resource(place.key, maxAge: .seconds(3600), options: options) {
            Sample("\(place)", version: 0, size: 0)
        }
        return try resource.peek()?.isStale
    }

    fileprivate func longFeed(_ spec: PantryFeed) -> Feed<FeedItem> {
        anna.feed(spec.rawValue, paging: spec.paging, maxAge: .seconds(3600)) { _ in Page([]) }
    }
}
