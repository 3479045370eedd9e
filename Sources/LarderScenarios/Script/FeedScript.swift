import Foundation
import LarderKit

/// A case of the format `feed-script/1`: a server, and a reader of its list.
struct FeedScript: Sendable {
    let paging: PagingWords
    let options: ScriptOptions
    /// What the app sends as `Authorization` with each request.
    let authorization: String?
    let server: ServerScript?
    /// How the server answers; the usual way where the case does not say.
    let rule: ServerRule
    /// The name of a recording that is played back.
    let recording: String?
    let envelope: Envelope
    /// The app's model needs a text in each item.
    let needsTexts: Bool
    let steps: [ScriptStep]
    /// What is to be seen at the end, with the requests of the whole case.
    let expectations: [Expectation]

    static let known: Set<String> = [
        "format", "case", "area", "title", "source", "paging", "idType", "order", "options", "authorization",
        "variants",
        "server", "rawBodies", "useReal", "steps", "expect",
    ]

    init(_ value: ScriptValue) throws(CaseFailure) {
        let fields = try ScriptFields(value, at: "the case", known: Self.known)
        paging = try PagingWords(fields)
        options = try ScriptOptions(try fields.fields("options", known: ScriptOptions.known))
        authorization = try fields.text("authorization")
        server =
            if let server = try fields.fields("server", known: ["rule", "states"]) {
                try ServerScript(server, idType: paging.idType)
            } else { nil }
        var rule = server?.rule ?? ServerRule()
        if let order = try fields.text("order") { rule.isRanked = try ServerRule.isRanked(order, "order") }
        self.rule = rule
        recording = try fields.text("useReal")
        var rawBodies: [String: Data] = [:]
        for (name, value) in try fields.object("rawBodies") ?? [:] {
            guard case .text(let text) = value else { throw fields.mismatch("rawBodies", "texts by name") }
            rawBodies[name] = Data(text.utf8)
        }
        var steps: [ScriptStep] = []
        for (index, value) in (try fields.list("steps") ?? []).enumerated() {
            steps.append(try ScriptStep(value, number: index + 1, rawBodies: rawBodies))
        }
        self.steps = steps
        expectations = try Expectation.all(in: fields["expect"], at: "the case's expect")
        guard !steps.isEmpty || !expectations.isEmpty else {
            throw CaseFailure("the case neither does nor expects anything")
        }
        envelope = Envelope(of: steps, paging.kind)
        needsTexts = Self.needsTexts(steps, server, envelope)
    }

    /// Where items that do not decode are expected, and most items have a text, an item without one is such an item.
    private static func needsTexts(_ steps: [ScriptStep], _ server: ServerScript?, _ envelope: Envelope) -> Bool {
        let isTold = steps.flatMap(\.expectations).contains { expectation in
            if case .decodeFailures(1...) = expectation.kind { true } else { false }
        }
        guard isTold else { return false }
        let held = server?.states.flatMap(\.items).map { Data($0.json.utf8) }.compactMap { try? ScriptValue(json: $0) }
        let scripted = steps.flatMap { $0.answers.scripted }.flatMap { envelope.items(of: $0) }
        let items = ((held ?? []) + scripted).compactMap { item -> [String: ScriptValue]? in
            guard case .object(let members) = item, members["id"]?.id != nil else { return nil }
            return members
        }
        return items.count { $0["text"] != nil } * 2 > items.count
    }
}
