import Foundation
import LarderKit

/// A stored value or item, and what is known of it besides its bytes.
struct StoredReport: Sendable {
    let partition: String
    /// The value's key, or the name of the item's list.
    let key: String
    /// The item's id; `nil` of a value.
    var item: String?
    let body: Data
    let codec: CodecID
    let storedAt: Date
    /// The file that holds the bytes, where they lie in one.
    var path: String?
    /// What is known of a value beyond that.
    var summary: EntrySummary?
    /// What the age counts from.
    let now: Date

    private var metadata: EntryMetadata? { summary?.metadata }
    private var place: EntrySummary.Place { summary?.place ?? .database }

    var age: Duration { .milliseconds(max(0, Int64((now.timeIntervalSince(storedAt) * 1000).rounded()))) }

    /// Whether it is fresh by the server's word; `nil` where the server said nothing, and it is the app's to say.
    var isFresh: Bool? {
        guard let metadata, !metadata.isInvalidated else { return metadata == nil ? nil : false }
        return metadata.lifetime.map { age < $0 }
    }

    /// - Parameter withValue: The value stands in the object.
    func json(withValue: Bool) -> JSONText {
        var members: [(name: String, value: JSONText)] = [
            ("kind", .string(item == nil ? "resource" : "item")),
            ("partition", .string(partition)),
            (item == nil ? "key" : "feed", .string(Endpoint.shown(key))),
        ]
        if let item { members.append(("id", .string(item))) }
        members += [
            ("size", .number(body.count)),
            ("codec", .string(codec.description)),
            ("storedAt", .timestamp(storedAt)),
            ("age", .seconds(age)),
            ("place", .string(place.rawValue)),
            ("path", path.json(JSONText.string)),
        ]
        if let metadata, let summary {
            members += [
                ("pinned", .bool(summary.isPinned)),
                ("usedAt", summary.usedAt.json(JSONText.timestamp)),
                ("lifetime", metadata.isInvalidated ? .null : metadata.lifetime.json(JSONText.seconds)),
                ("fresh", isFresh.json(JSONText.bool)),
                ("invalidated", .bool(metadata.isInvalidated)),
                ("etag", metadata.validators.etag.json(JSONText.string)),
                ("lastModified", metadata.validators.lastModified.json(JSONText.string)),
                ("staleWhileRevalidate", metadata.stale.whileRevalidate.json(JSONText.seconds)),
                ("staleIfError", metadata.stale.ifError.json(JSONText.seconds)),
            ]
        }
        if withValue {
            let isJSON = (try? JSONSplitter.validate(body)) != nil
            members += [
                ("value", isJSON ? .verbatim(body) : .null),
                ("base64", isJSON ? .null : .string(body.base64EncodedString())),
            ]
        }
        return .object(members)
    }

    /// What is known, a line a fact, in two columns.
    var lines: [String] {
        let freshness =
            switch isFresh {
            case true?: "yes, by the server's word"
            case false?: metadata?.isInvalidated == true ? "no: the app said that it has changed" : "no"
            case nil: "the app's to say: the server said nothing"
            }
        let size = Units.size(body.count)
        var facts: [(label: String, text: String?)] = [
            ("account", partition.isEmpty ? nil : partition),
            (item == nil ? "key" : "list", key.isEmpty ? "(empty)" : Endpoint.shown(key)),
            ("id", item),
            ("size", body.count < 1000 ? size : "\(size) (\(body.count) bytes)"),
            ("codec", codec.description),
            ("stored", "\(Units.timestamp(storedAt)), \(Units.age(age)) ago"),
            ("lies in", path.map { "a \(place.rawValue), \($0)" } ?? "the database"),
        ]
        if let metadata, let summary {
            facts += [
                ("pinned", summary.isPinned ? "yes" : "no"),
                (
                    "used",
                    summary.usedAt.map {
                        "\(Units.age(.milliseconds(Int64(max(0, now.timeIntervalSince($0)) * 1000)))) ago"
                    }
                ),
                ("fresh", freshness),
                ("etag", metadata.validators.etag),
                ("modified", metadata.validators.lastModified),
                ("when stale", metadata.stale.whileRevalidate.map { "shown for \(Units.age($0)) while asking again" }),
                ("on failure", metadata.stale.ifError.map { "shown for \(Units.age($0))" }),
            ]
        }
        return facts.compactMap { label, text in
            text.map { "\(Printable.padded(label, to: 10))  \(Printable.line($0))" }
        }
    }
}
