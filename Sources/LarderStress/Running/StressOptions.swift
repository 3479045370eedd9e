/// What the command line says.
struct StressOptions: Sendable, Hashable {
    var size = StressSize()
    var isJSON = false
    var isHelp = false

    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameter seed: The one to take where none is said.
    init(_ arguments: [String], seed: UInt64) throws(Mistake) {
        size.seed = seed
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": isHelp = true
            case "--json": isJSON = true
            case "--readers": size.readers = try Self.number(argument, &rest, 1...100_000)
            case "--keys": size.keys = try Self.number(argument, &rest, 1...10_000)
            case "--partitions": size.partitions = try Self.number(argument, &rest, 1...100)
            case "--seconds": size.time = .seconds(try Self.number(argument, &rest, 1...86_400))
            case "--hang-after": size.hangLimit = .seconds(try Self.number(argument, &rest, 1...3600))
            case "--seed": size.seed = try Self.number(argument, &rest, 0...UInt64.max)
            default: throw Mistake(description: "there is no \(argument)")
            }
        }
    }

    static func number<Number: FixedWidthInteger>(
        _ name: String, _ rest: inout ArraySlice<String>, _ range: ClosedRange<Number>
    ) throws(Mistake) -> Number {
        guard let number = rest.popFirst().flatMap({ Number($0) }), range.contains(number) else {
            throw Mistake(description: "\(name) takes a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static let usage = """
        usage: larder-stress [--readers 1000] [--keys 50] [--partitions 5] [--seconds 20] [--seed N] [--json]
                             [--hang-after 10]
               larder-stress (faults | kills | power | soak | corruption) --help

        Reads, stores, removes and follows values and lists of several accounts from many tasks at once, with servers that
        fail in many ways, readers that leave, and accounts that are signed out of. Checks that nobody is shown what is
        another's or of an earlier sign-in, that nothing earlier is shown after something later, that each thing is asked
        for once at a time, that everything returns, and that nothing is left when all have signed out.

        Chance comes from the seed, which is printed; what meets what does not. Ctrl-C ends the run, and what was done
        until then counts.

        Exits with 0 when everything held, with 1 when something did not, with 3 when something has not returned for
        --hang-after seconds, and with 2 when the command line makes no sense. "make stress" runs it under the thread
        sanitizer.

        """
}
