import LarderKit

/// What the server of a case holds, and from when on.
struct ServerScript: Sendable {
    /// An item as the server sends it.
    struct Item: Sendable, Hashable {
        let id: ItemID
        let json: String
    }

    struct State: Sendable {
        let at: Double
        /// In the server's order.
        let items: [Item]
    }

    let rule: ServerRule
    let states: [State]

    init(_ fields: ScriptFields, idType: PagingWords.IDType) throws(CaseFailure) {
        rule =
            if let rule = try fields.fields("rule", known: ServerRule.known) { try ServerRule(rule) } else {
                ServerRule()
            }
        var states: [State] = []
        for (index, value) in (try fields.list("states") ?? []).enumerated() {
            let fields = try ScriptFields(
                value, at: "\(fields.place).states[\(index)]", known: ["at", "ids", "items"])
            let (ids, whole) = (try fields.list("ids"), try fields.list("items"))
            guard let listed = ids ?? whole else {
                throw CaseFailure("\(fields.place) holds neither ids nor items")
            }
            var items: [Item] = []
            for value in listed { items.append(try Self.item(value, idType, at: fields.place)) }
            states.append(State(at: try fields.seconds("at") ?? 0, items: items))
        }
        self.states = states.sorted { $0.at < $1.at }
    }

    /// What the server holds at a moment; nothing before the first state.
    func items(at time: Double) -> [Item] {
        states.last { $0.at <= time }?.items ?? []
    }

    private static func item(
        _ value: ScriptValue, _ idType: PagingWords.IDType, at place: String
    ) throws(CaseFailure) -> Item {
        if case .object(let members) = value {
            guard let id = members["id"]?.id else { throw CaseFailure("an item without an id in \(place)") }
            return Item(id: id, json: value.description)
        }
        guard let id = value.id else { throw CaseFailure("\(value) is no id, in \(place)") }
        let isNumber = idType == .jsonNumber && id.rawValue.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return Item(id: id, json: isNumber ? "{\"id\":\(id)}" : "{\"id\":\(value)}")
    }
}
