extension JSONScanner {
    /// Where a path found nothing: the value that has no such member or place.
    struct Miss {
        /// How many steps led to the value at ``offset``.
        let stepsTaken: Int
        let offset: Int
    }

    /// One value, like ``skipValue()``, and `atTarget` run on the value at `path` within it, which it must consume.
    ///
    /// Of members with the same name the first counts, as it does for `JSONDecoder` and for SQLite's `->`.
    /// Calls itself once for each step of the path that matches, so never deeper than ``JSONNesting/limit``.
    ///
    /// - Returns: `nil` when the path was found.
    mutating func skipValue(
        lookingFor path: JSONPath, stepsTaken: Int = 0, atTarget: (inout JSONScanner) throws(JSONFault) -> Void
    ) throws(JSONFault) -> Miss? {
        guard stepsTaken < path.steps.count else {
            try atTarget(&self)
            return nil
        }
        var result: Miss? = Miss(stepsTaken: stepsTaken, offset: position)
        switch path.steps[stepsTaken] {
        case .key(let wanted) where next == ASCII.openBrace:
            var isFound = false
            guard try enterObject() else { return result }
            repeat {
                let name = try skipName()
                if !isFound, says(wanted, name) {
                    isFound = true
                    result = try skipValue(lookingFor: path, stepsTaken: stepsTaken + 1, atTarget: atTarget)
                } else {
                    try skipValue()
                }
            } while try nextMember()
        case .index(let wanted) where next == ASCII.openBracket:
            var index = 0
            guard try enterArray() else { return result }
            repeat {
                if index == wanted {
                    result = try skipValue(lookingFor: path, stepsTaken: stepsTaken + 1, atTarget: atTarget)
                } else {
                    try skipValue()
                }
                index += 1
            } while try nextElement()
        default:
            try skipValue()
        }
        return result
    }

    /// One value, taken for an item's id: a string's text or a number's digits as served. `nil` for any other value, an
    /// empty string, and a string that UTF-8 cannot say.
    mutating func skipIdentity() throws(JSONFault) -> ItemID? {
        let start = position
        switch next {
        case ASCII.quote:
            let string = try skipString()
            guard !string.range.isEmpty else { return nil }
            guard string.hasEscapes else { return ItemID(utf8: UnsafeRawBufferPointer(rebasing: bytes[string.range])) }
            return text(of: string).map { ItemID($0) }
        case ASCII.minus, 0x30...0x39:
            try skipNumber()
            return ItemID(utf8: UnsafeRawBufferPointer(rebasing: bytes[start..<position]))
        default:
            try skipValue()
            return nil
        }
    }

    /// An array's elements, each with the id at `path` within it.
    mutating func skipItems(id path: JSONPath) throws(JSONFault) -> [JSONItem] {
        var items: [JSONItem] = []
        guard try enterArray() else { return items }
        repeat {
            let start = position
            var id: ItemID?
            _ = try skipValue(lookingFor: path) { (scanner) throws(JSONFault) in id = try scanner.skipIdentity() }
            items.append(JSONItem(range: start..<position, id: id))
        } while try nextElement()
        return items
    }
}
