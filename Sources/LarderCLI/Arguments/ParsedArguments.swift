/// What a command line said, read with the declarations it was parsed by.
struct ParsedArguments: Sendable, Hashable {
    private(set) var options: [String: [String]] = [:]
    private(set) var positionals: [String] = []

    mutating func add(_ option: Option, _ value: String) {
        options[option.name, default: []].append(value)
    }

    mutating func add(positional: String) {
        positionals.append(positional)
    }

    /// The value of an option, `nil` when it was not given.
    subscript(option: Option) -> String? { options[option.name]?.last }

    /// All values of a repeated option, in order.
    func all(_ option: Option) -> [String] { options[option.name] ?? [] }

    /// Whether an option was given.
    func has(_ option: Option) -> Bool { options[option.name] != nil }

    /// The argument at a place, `nil` when there are fewer.
    func positional(_ index: Int) -> String? {
        positionals.indices.contains(index) ? positionals[index] : nil
    }
}

// MARK: Typed values. Each is `nil` when the option was not given, and throws ``UsageError`` when it makes no sense.

extension ParsedArguments {
    /// A whole number within `range`.
    func int(_ option: Option, in range: ClosedRange<Int> = Int.min...Int.max) throws(UsageError) -> Int? {
        guard let text = self[option] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError("\(option.spelling) takes \(Self.wording(of: range)), not '\(text)'")
        }
        return number
    }

    /// A time span: `3` and `3s` are seconds; also `500ms`, `2m`, `1.5h`, `7d`. Never negative.
    func duration(_ option: Option) throws(UsageError) -> Duration? {
        guard let text = self[option] else { return nil }
        guard let duration = Duration(argument: text) else {
            throw UsageError("\(option.spelling) takes a time such as 3, 3s, 500ms, 2m, 1h or 7d, not '\(text)'")
        }
        return duration
    }

    /// A number of bytes: `200MB` is 200 million, `200MiB` is 200 times 1,048,576; without a unit, bytes.
    func size(_ option: Option) throws(UsageError) -> Int? {
        guard let text = self[option] else { return nil }
        guard let size = Int(size: text) else {
            throw UsageError("\(option.spelling) takes a size such as 200MB, 1.5GB, 64MiB or 5000000, not '\(text)'")
        }
        return size
    }

    /// One of the cases of an enumeration, by its raw value.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ option: Option, of type: Choice.Type
    ) throws(UsageError) -> Choice? {
        guard let text = self[option] else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let valid = Choice.allCases.map(\.rawValue)
            let hint = Suggestion.nearest(to: text, among: valid).map { "; did you mean \($0)?" } ?? ""
            throw UsageError("\(option.spelling) takes \(valid.joined(separator: ", ")), not '\(text)'\(hint)")
        }
        return choice
    }

    private static func wording(of range: ClosedRange<Int>) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (.min, .max): "a whole number"
        case (let low, .max): "a whole number of at least \(low)"
        case (.min, let high): "a whole number of at most \(high)"
        case (let low, let high): "a whole number from \(low) to \(high)"
        }
    }
}

extension Int {
    /// A number of bytes as it is written on a command line, `nil` when it is none. Units are those of the SI and of IEC
    /// 80000-13, in any case; a fraction of a byte is cut.
    init?(size text: String) {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text[number.endIndex...].trimmingPrefix(" ").lowercased()
        let factors = [
            "": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 0x1p10, "mib": 0x1p20, "gib": 0x1p30,
            "tib": 0x1p40, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12,
        ]
        // A quintillion bytes is past anything meant, and well within what an Int holds.
        guard let amount = Double(number), let factor = factors[unit], amount * factor <= 1e18 else { return nil }
        self = Int(amount * factor)
    }
}

extension Duration {
    /// A time span as it is written on a command line, `nil` when it is none.
    init?(argument text: String) {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        // A trillion seconds is past anything meant, and well within what a Duration holds.
        guard let amount = Double(number), amount <= 1e12 else { return nil }
        switch text[number.endIndex...] {
        case "", "s": self = .seconds(amount)
        case "ms": self = .milliseconds(amount)
        case "m": self = .seconds(amount * 60)
        case "h": self = .seconds(amount * 3600)
        case "d": self = .seconds(amount * 86_400)
        default: return nil
        }
    }
}
