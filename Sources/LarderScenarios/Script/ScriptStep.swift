import Foundation
import LarderKit

/// One step of a case: what the reader does, what the server says to it, and what is then to be seen.
struct ScriptStep: Sendable {
    enum Operation: Sendable {
        case refresh
        case loadOlder
        case loadGap(Gap, from: GapSide?)
        case loadGapIfAny(from: GapSide?)
        case reloadFirstPage
        case read
        case restart
        case remove(ItemID)
    }

    let name: String
    let operation: Operation
    let at: Double?
    let times: Int
    let limit: Int?
    let anchor: ItemID?
    /// What the server answers in this step whatever it holds; a list is one answer a request.
    let answers: StepAnswers
    let expectations: [Expectation]

    static let known: Set<String> = [
        "at", "do", "expect", "respond", "respondRaw", "times", "gap", "from", "side", "anchor", "limit", "id",
        "item",
    ]

    init(_ value: ScriptValue, number: Int, rawBodies: [String: Data]) throws(CaseFailure) {
        let fields = try ScriptFields(value, at: "steps[\(number - 1)]", known: Self.known)
        guard let name = try fields.text("do") else { throw CaseFailure("\(fields.place) does nothing") }
        self.name = "step \(number) (\(name))"
        operation = try Self.operation(name, fields)
        at = try fields.seconds("at")
        times = try fields.count("times") ?? 1
        limit = try fields.count("limit")
        anchor = try fields.id("anchor")
        answers = try Self.answers(fields, rawBodies)
        expectations = try Expectation.all(in: fields["expect"], at: "\(fields.place).expect")
    }

    private static func operation(_ name: String, _ fields: ScriptFields) throws(CaseFailure) -> Operation {
        let side = try side(fields)
        switch name {
        case "refresh", "loadNewer": return .refresh
        case "loadOlder", "loadMore": return .loadOlder
        case "loadGap", "fillGap":
            guard let gap = fields["gap"]?.gap else { throw fields.mismatch("gap", "a pair of ids") }
            return .loadGap(gap, from: side)
        case "loadGapIfAny", "fillGapIfAny": return .loadGapIfAny(from: side)
        case "reloadFirstPage": return .reloadFirstPage
        case "read": return .read
        case "restart": return .restart
        case "remove", "gone", "itemGone", "removeItem":
            let name = fields["id"] == nil ? "item" : "id"
            guard let id = try fields.id(name) else { throw fields.mismatch("id", "an id") }
            return .remove(id)
        default: throw CaseFailure("unknown operation '\(name)' in \(fields.place)")
        }
    }

    private static func side(_ fields: ScriptFields) throws(CaseFailure) -> GapSide? {
        let (from, side) = (try fields.text("from"), try fields.text("side"))
        switch from ?? side {
        case nil: return nil
        case "newer", "above", "newest", "top": return .newer
        case "older", "below", "oldest", "bottom": return .older
        case .some(let word): throw CaseFailure("unknown side \(JSONString.quoting(word)) in \(fields.place)")
        }
    }

    private static func answers(_ fields: ScriptFields, _ rawBodies: [String: Data]) throws(CaseFailure) -> StepAnswers
    {
        guard fields["respond"] == nil || fields["respondRaw"] == nil else {
            throw CaseFailure("\(fields.place) has both respond and respondRaw")
        }
        let isRaw = fields["respondRaw"] != nil
        guard let value = fields["respond"] ?? fields["respondRaw"] else { return .ofTheServer }
        guard case .list(let values) = value else {
            return .always(try answer(value, isRaw, fields, rawBodies))
        }
        var answers: [ScriptedAnswer] = []
        for value in values { answers.append(try answer(value, isRaw, fields, rawBodies)) }
        return .inTurn(answers)
    }

    private static func answer(
        _ value: ScriptValue, _ isRaw: Bool, _ fields: ScriptFields, _ rawBodies: [String: Data]
    ) throws(CaseFailure) -> ScriptedAnswer {
        guard isRaw else {
            return try ScriptedAnswer(value, at: "\(fields.place).respond", rawBodies: rawBodies)
        }
        guard case .text(let name) = value, let body = rawBodies[name] else {
            throw fields.mismatch("respondRaw", "one of rawBodies")
        }
        return ScriptedAnswer(json: body)
    }
}

/// Who answers in a step.
enum StepAnswers: Sendable {
    case ofTheServer
    case always(ScriptedAnswer)
    /// One answer a request; the server answers what comes after.
    case inTurn([ScriptedAnswer])
}
