import Foundation
import LarderKit

/// A change, told to a person or as JSON.
struct TailEvent: Sendable {
    let change: LarderChange
    let time: Date

    /// `12:00:00.250  document  profile (account anna)`
    var line: String {
        let clock = Units.timestamp(time).dropFirst(11).dropLast()
        let text =
            switch change.subject {
            case .resource(let key): "document  \(Self.name(key))"
            case .feed(let key): "list      \(Self.name(key))"
            case .partition(""): "all       of what belongs to no account"
            case .partition(let name): "all       of the account \(Printable.line(name))"
            case .everything: "all       of the cache"
            }
        return "\(clock)  \(text)"
    }

    private static func name(_ key: StoreKey) -> String {
        let name = key.key.isEmpty ? "''" : Printable.line(Endpoint.shown(key.key))
        return key.partition.isEmpty ? name : "\(name) (account \(Printable.line(key.partition)))"
    }

    var json: JSONText {
        let (changed, partition, key): (String, String?, String?) =
            switch change.subject {
            case .resource(let key): ("resource", key.partition, key.key)
            case .feed(let key): ("feed", key.partition, key.key)
            case .partition(let name): ("partition", name, nil)
            case .everything: ("everything", nil, nil)
            }
        return .object([
            ("at", .timestamp(time)),
            ("changed", .string(changed)),
            ("partition", partition.json(JSONText.string)),
            ("key", key.json { .string(Endpoint.shown($0)) }),
        ])
    }
}
