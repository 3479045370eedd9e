import Foundation
import LarderHTTPCache
import LarderKit

/// The keys of everything stored, to find one that was typed as it is shown, or nearly.
struct StoredKeys: Sendable {
    let keys: [StoreKey]
    /// The URLs of what an HTTP cache has stored, in the place of keys.
    let answers: [StoreKey]

    init(_ keys: [StoreKey], answers: [StoreKey] = []) {
        self.keys = keys
        self.answers = answers
    }

    /// The keys that are shown as `text`, since secrets are left out of what is shown; and those of the lists of a URL,
    /// whose items or ids are at paths of their own, if these are asked for.
    func meant(by text: String, in partition: String, withLists: Bool = true) -> [String] {
        let isURL = withLists && text.contains("://")
        return keys(of: partition).filter { key in
            let shown = Endpoint.shown(key)
            return StoreKey(key: shown) == StoreKey(key: text)
                || isURL && [shown, key].contains { $0.hasPrefix("\(text) ") }
        }
    }

    /// Why there is nothing to tell of a key, and what may have been meant.
    func trouble(with key: String, in partition: String, of folder: URL) -> Trouble {
        let place = partition.isEmpty ? "" : " for the account \(Printable.line(partition))"
        let name = key.isEmpty ? "the empty key" : Printable.line(Endpoint.shown(key))
        return Trouble(
            "notStored", "nothing is stored under \(name)\(place) in \(folder.path). \(advice(key, partition))",
            exitCode: .failure)
    }

    private func advice(_ key: String, _ partition: String) -> String {
        let others = Set((keys + answers).filter { StoreKey(key: $0.key) == StoreKey(key: key) }.map(\.partition))
            .sorted()
        if !others.isEmpty {
            let names = others.map { $0.isEmpty ? "nobody (leave out --partition)" : Printable.line($0) }
            return "It is stored for \(names.joined(separator: ", "))"
                + (others == [""] ? "." : ": say so with --partition.")
        }
        let here = keys(of: partition)
        // Equal to a reader, and not byte by byte.
        if let other = here.first(where: { $0 == key }) {
            return "It is stored in another normal form of Unicode: --key-json '\(KeyArgument.ascii(other))'."
        }
        // The distance of two texts takes their lengths, multiplied.
        let known = here + answerURLs(of: partition)
        let candidates = Self.isShort(key) ? Array(known.lazy.filter(Self.isShort).prefix(1000)) : []
        guard let near = Suggestion.nearest(to: key, among: candidates).map(Endpoint.shown) else {
            return "'larder ls' shows what there is."
        }
        let word = KeyArgument.word(for: near)
        guard near != Endpoint.shown(key) else { return "It is stored with another secret: \(word) tells of it." }
        return "Did you mean \(word)? 'larder ls' shows what there is."
    }

    private static func isShort(_ key: String) -> Bool { key.utf8.count <= 500 }

    /// Each key of a partition once, in order.
    private func keys(of partition: String) -> [String] { Self.texts(keys, partition) }

    /// Each URL of an HTTP answer of a partition once, in order.
    func answerURLs(of partition: String) -> [String] { Self.texts(answers, partition) }

    private static func texts(_ keys: [StoreKey], _ partition: String) -> [String] {
        Set(keys).filter { $0 == StoreKey(partition: partition, key: $0.key) }.map(\.key).sorted()
    }
}

extension Larder {
    /// The keys of all values and feeds, and the URLs of HTTP answers.
    func storedKeys() async throws(StorageError) -> StoredKeys {
        let contents = try await contents()
        var keys: [StoreKey] = []
        var answers: [StoreKey] = []
        for value in contents.values {
            switch AnswerRow(value) {
            case .answer(let url): answers.append(StoreKey(partition: value.key.partition, key: url))
            case .bodyPart: break
            case nil: keys.append(value.key)
            }
        }
        keys += contents.feeds.map { StoreKey(partition: $0.partition, key: $0.name) }
        return StoredKeys(keys, answers: answers)
    }
}
