import Foundation
import LarderKit

/// The keys of everything stored, to find one that was typed as it is shown, or nearly.
struct StoredKeys: Sendable {
    let keys: [StoreKey]

    init(_ keys: [StoreKey]) {
        self.keys = keys
    }

    /// The keys that are shown as `text`, since secrets are left out of what is shown; and those of the lists of a URL,
    /// whose items or ids are at paths of their own.
    func meant(by text: String, in partition: String) -> [String] {
        let isURL = text.contains("://")
        let meant = keys.filter { key in
            guard key.partition == partition else { return false }
            let shown = Endpoint.shown(key.key)
            return shown == text || isURL && [shown, key.key].contains { $0.hasPrefix("\(text) ") }
        }
        return Self.sorted(meant.map(\.key))
    }

    /// Why there is nothing to tell of a key, and what may have been meant.
    func trouble(with key: String, in partition: String, of folder: URL) -> Trouble {
        let place = partition.isEmpty ? "" : " for the account \(Printable.line(partition))"
        let name = Printable.line(Endpoint.shown(key))
        return Trouble(
            "notStored", "nothing is stored under \(name)\(place) in \(folder.path). \(advice(key, partition))",
            exitCode: .failure)
    }

    private func advice(_ key: String, _ partition: String) -> String {
        let others = Self.sorted(keys.filter { $0.key == key }.map(\.partition))
        if !others.isEmpty {
            let names = others.map { $0.isEmpty ? "nobody (leave out --partition)" : Printable.line($0) }
            return "It is stored for \(names.joined(separator: ", "))"
                + (others == [""] ? "." : ": say so with --partition.")
        }
        let here = Self.sorted(keys.filter { $0.partition == partition }.map(\.key))
        guard let near = Suggestion.nearest(to: key, among: Array(here.prefix(1000))).map(Endpoint.shown) else {
            return "'larder ls' shows what there is."
        }
        let word = ShellWord.quoted(near) ?? Printable.line(near)
        guard near != Endpoint.shown(key) else { return "It is stored with another secret: \(word) tells of it." }
        return "Did you mean \(word)? 'larder ls' shows what there is."
    }

    private static func sorted(_ names: [String]) -> [String] { Set(names).sorted() }
}

extension Larder {
    /// The keys of all values and feeds.
    func storedKeys() async throws(LarderError) -> [StoreKey] {
        do throws(StorageError) {
            return try await resources().map(\.key)
                + feeds().map { StoreKey(partition: $0.partition, key: $0.name) }
        } catch {
            throw .storage(error)
        }
    }
}
