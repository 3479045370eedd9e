import Foundation
import LarderKit

/// Rows that an earlier model of the app has stored, read by a later one.
struct ModelTable: Sendable {
    private let rows: [String]
    private let model: RowModel
    private let timeline: [String]
    private let decodeFailures: Int
    private let areBytesKept: Bool
    private let afterRefresh: [String]?

    init(_ value: ScriptValue) throws(CaseFailure) {
        let fields = try ScriptFields(
            value, at: "the case", known: ["format", "case", "area", "title", "source", "v1rows", "v2model", "expect"])
        var rows: [String] = []
        for value in try fields.list("v1rows") ?? [] {
            guard case .text(let row) = value else { throw fields.mismatch("v1rows", "a list of JSON texts") }
            rows.append(row)
        }
        guard !rows.isEmpty else { throw CaseFailure("the case has no rows") }
        self.rows = rows
        guard let model = try fields.object("v2model") else { throw CaseFailure("the case has no later model") }
        self.model = try RowModel(model)
        guard
            let expect = try fields.fields(
                "expect", known: ["timeline", "decodeFailures", "bytesKept", "afterNetworkRefresh"])
        else { throw CaseFailure("the case expects nothing") }
        timeline = try expect.ids("timeline")?.map(\.rawValue) ?? []
        decodeFailures = try expect.count("decodeFailures") ?? 0
        areBytesKept = try expect.bool("bytesKept") ?? true
        afterRefresh = try expect.ids("afterNetworkRefresh")?.map(\.rawValue)
    }

    func run(_ cache: CacheOnDisk) async throws {
        let first = RowModel.any
        _ = try await feed(cache, first, serving: rows).page(limit: rows.count)
        try cache.restart()

        let later = feed(cache, model, serving: nil)
        let shown = try show(later)
        guard shown.ids == timeline else { throw CaseFailure("timeline: expected \(timeline), got \(shown.ids)") }
        guard shown.undecodable == decodeFailures else {
            throw CaseFailure("decodeFailures: expected \(decodeFailures), got \(shown.undecodable)")
        }
        let stored = try feed(cache, first, serving: nil).peek(limit: rows.count)?.value.items.map(\.text) ?? []
        guard (stored == rows) == areBytesKept else {
            throw CaseFailure("bytesKept: expected \(areBytesKept), got \(stored)")
        }
        guard let afterRefresh else { return }
        let updated = try rows.map { try model.completing($0) }
        _ = try await feed(cache, model, serving: updated).page(limit: rows.count, policy: .networkOnly)
        let ids = try show(later).ids
        guard ids == afterRefresh else {
            throw CaseFailure("afterNetworkRefresh: expected \(afterRefresh), got \(ids)")
        }
    }

    private func feed(_ cache: CacheOnDisk, _ model: RowModel, serving rows: [String]?) -> Feed<ModelRow> {
        cache.larder.common.feed("rows", id: \.id, paging: .byID, codec: model.codec) { _ in
            guard let rows else { throw FetchFailure(.offline, "scripted: offline") }
            return Page(try rows.map { try ModelRow($0) })
        }
    }

    private func show(_ feed: Feed<ModelRow>) throws -> (ids: [String], undecodable: Int) {
        var (ids, undecodable) = ([String](), 0)
        for row in try feed.timeline()?.value.map({ $0 }) ?? [] {
            switch row {
            case .item(_, let item): ids.append(item.id)
            case .undecodable: undecodable += 1
            case .gap, .vanished: break
            }
        }
        return (ids, undecodable)
    }
}

/// A row as an app sees it: its id, and its JSON.
struct ModelRow: Codable, Sendable {
    let id: String
    let text: String

    init(_ text: String) throws {
        guard case .object(let members) = try ScriptValue(json: Data(text.utf8)), let id = members["id"]?.id else {
            throw CaseFailure("a row has no id: \(text)")
        }
        self.id = id.rawValue
        self.text = text
    }
}

/// What an app's model asks of a row.
struct RowModel: Sendable {
    private enum Kind: String {
        case text = "String"
        case whole = "Int"
        case number = "Double"
        case truth = "Bool"
    }

    private struct Field: Sendable {
        let kind: Kind
        let isRequired: Bool
    }

    private let fields: [String: Field]

    /// One that takes every row.
    static let any = RowModel(fields: [:])

    private init(fields: [String: Field]) { self.fields = fields }

    /// Names with `String`, `Int`, `Double` or `Bool`, which have to be there unless they are `(optional)`.
    init(_ members: [String: ScriptValue]) throws(CaseFailure) {
        var fields: [String: Field] = [:]
        for (name, value) in members {
            guard case .text(let text) = value else { throw CaseFailure("v2model.\(name) is no type") }
            let words = text.split(separator: " ").map { String($0) }
            guard let kind = words.first.flatMap({ Kind(rawValue: $0) }),
                words.count == 1 || words.count == 2 && ["(required)", "(optional)"].contains(words[1])
            else { throw CaseFailure("unknown type \(JSONString.quoting(text)) in v2model.\(name)") }
            fields[name] = Field(kind: kind, isRequired: words.last != "(optional)")
        }
        self.fields = fields
    }

    /// Keeps rows as they are, and refuses to decode those that are not of the model.
    var codec: Codec<ModelRow> {
        Codec(CodecID(name: "row")) { row in
            Data(row.text.utf8)
        } decode: { data in
            let row = try ModelRow(String(decoding: data, as: UTF8.self))
            guard case .object(let members) = try ScriptValue(json: data) else { throw CaseFailure("no object") }
            for (name, field) in fields {
                let fits =
                    switch (members[name], field.kind) {
                    case (nil, _), (.null, _): !field.isRequired
                    case (.text, .text), (.number, .number), (.bool, .truth): true
                    case (.number(let number), .whole): Int("\(number)") != nil
                    default: false
                    }
                guard fits else { throw CaseFailure("\(name) is not as the model has it") }
            }
            return row
        }
    }

    /// The row with what it lacks.
    func completing(_ row: String) throws -> String {
        guard case .object(var members) = try ScriptValue(json: Data(row.utf8)) else { return row }
        for (name, field) in fields where field.isRequired && members[name] == nil {
            members[name] =
                switch field.kind {
                case .text: .text("")
                case .whole, .number: .number(0)
                case .truth: .bool(false)
                }
        }
        return ScriptValue.object(members).description
    }
}
