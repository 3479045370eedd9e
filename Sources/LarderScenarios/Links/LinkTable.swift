/// A case of the format `data/1` that holds `links`: header fields, and the link that is to be found in them.
struct LinkTable: Sendable {
    struct Row: Sendable {
        let fields: [String]
        /// The URL that relative targets are relative to.
        let requestURL: String?
        /// The expected target of each relation that the case names; `nil` for none.
        let targets: [String: String?]
    }

    let rows: [Row]

    init(_ value: ScriptValue) throws(CaseFailure) {
        let fields = try ScriptFields(
            value, at: "the case", known: ["format", "case", "area", "title", "source", "links"])
        var rows: [Row] = []
        for (index, value) in (try fields.list("links") ?? []).enumerated() {
            let row = try ScriptFields(
                value, at: "links[\(index)]", known: ["header", "requestUrl", "next", "prev", "first", "last"])
            var targets: [String: String?] = [:]
            for name in row.names where name != "header" && name != "requestUrl" {
                targets[name] = .some(row[name] == .null ? nil : try row.text(name))
            }
            guard !targets.isEmpty else { throw CaseFailure("\(row.place) expects nothing") }
            rows.append(Row(fields: try Self.header(row), requestURL: try row.text("requestUrl"), targets: targets))
        }
        self.rows = rows
    }

    private static func header(_ row: ScriptFields) throws(CaseFailure) -> [String] {
        if case .text(let text) = row["header"] { return [text] }
        var fields: [String] = []
        for value in try row.list("header") ?? [] {
            guard case .text(let text) = value else { throw row.mismatch("header", "a list of texts") }
            fields.append(text)
        }
        guard !fields.isEmpty else { throw CaseFailure("\(row.place) has no header") }
        return fields
    }
}
