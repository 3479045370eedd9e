/// Reads the arguments of one command by its declaration.
///
/// - `--name VALUE` and `--name=VALUE` are the same; a value that begins with a hyphen needs the second form, unless it is
///   a number.
/// - `-n VALUE`, for options that have a short name. Short names are not run together.
/// - Everything behind `--` is positional. `-` alone is too.
struct ArgumentParser {
    let spec: CommandSpec

    /// - Throws: ``UsageError`` for the first thing that makes no sense.
    func parse(_ arguments: some Sequence<String>) throws(UsageError) -> ParsedArguments {
        var parsed = ParsedArguments()
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                rest.forEach { parsed.add(positional: $0) }
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                parsed.add(positional: argument)
                continue
            }
            try read(argument, &rest, into: &parsed)
        }
        try checkPositionals(parsed.positionals)
        return parsed
    }

    private func read(
        _ argument: String, _ rest: inout ArraySlice<String>, into parsed: inout ParsedArguments
    ) throws(UsageError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let option = try option(spelled: parts[0])
        let isRepeat = parsed.has(option)
        switch option.arity {
        case .flag:
            guard parts.count == 1 else { throw UsageError("\(option.spelling) takes no value") }
            parsed.add(option, "")
        case .value where isRepeat:
            throw UsageError("\(option.spelling) is given twice")
        case .value, .repeated:
            parsed.add(option, try parts.count == 2 ? parts[1] : value(of: option, from: &rest))
        }
    }

    private func value(of option: Option, from rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.first, value == "-" || !value.hasPrefix("-") || Int(value) != nil else {
            let form = "\(option.spelling)=\(option.placeholder)"
            throw UsageError("\(option.spelling) needs a value: \(form)")
        }
        rest.removeFirst()
        return value
    }

    private func option(spelled text: String) throws(UsageError) -> Option {
        if let option = spec.options.first(where: { $0.spelling == text || $0.short.map { "-\($0)" } == text }) {
            return option
        }
        let known = spec.options.map(\.spelling) + ["--help"]
        let hint = Suggestion.nearest(to: text, among: known).map { "; did you mean \($0)?" } ?? behindHyphens
        throw UsageError("unknown option \(text)\(hint)")
    }

    /// The way out where what begins with a hyphen is no option.
    private var behindHyphens: String {
        spec.positionals.isEmpty ? "" : "; what begins with '-' and is no option goes behind --, as in: -- -a"
    }

    private func checkPositionals(_ values: [String]) throws(UsageError) {
        let needed = spec.positionals.filter { $0.arity == .required || $0.arity == .oneOrMore }
        if values.count < needed.count {
            throw UsageError("\(needed[values.count].name) is missing")
        }
        let last = spec.positionals.last?.arity
        let takesMore = last == .oneOrMore || last == .any
        if values.count > spec.positionals.count, !takesMore {
            throw UsageError("unexpected argument '\(values[spec.positionals.count])'")
        }
    }
}
