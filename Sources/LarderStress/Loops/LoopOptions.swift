/// What the command line says of a loop.
struct LoopOptions: Sendable, Hashable {
    typealias Mistake = StressOptions.Mistake

    var seed: UInt64
    var isJSON = false
    var isHelp = false
    /// The part of a process that a loop has started itself.
    var role: String?
    /// Where such a process finds what it works on.
    var folder: String?
    private var numbers: [String: Int]

    /// - Parameters:
    ///   - known: The numbers of the loop.
    ///   - seed: The one to take where none is said.
    init(_ arguments: [String], of known: [LoopNumber], seed: UInt64) throws(Mistake) {
        self.seed = seed
        numbers = Dictionary(uniqueKeysWithValues: known.map { ($0.name, $0.standard) })
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": isHelp = true
            case "--json": isJSON = true
            case "--seed": self.seed = try StressOptions.number(argument, &rest, 0...UInt64.max)
            case "--role": role = rest.popFirst()
            case "--folder": folder = rest.popFirst()
            default:
                guard let number = known.first(where: { "--\($0.name)" == argument }) else {
                    throw Mistake(description: "there is no \(argument)")
                }
                numbers[number.name] = try StressOptions.number(argument, &rest, number.range)
            }
        }
    }

    /// One of the loop's own numbers.
    subscript(name: String) -> Int { numbers[name] ?? 0 }

    static func usage(of loop: any StressLoop.Type) -> String {
        let numbers = loop.numbers.filter { !$0.isInner }.map { " [--\($0.name) \($0.standard)]" }.joined()
        return """
            usage: larder-stress \(loop.name)\(numbers) [--seed N] [--json]

            \(loop.summary)

            Chance comes from the seed, which is printed. Exits with 0 when everything held, with 1 when something did not,
            with 2 when the command line makes no sense, and with 3 when it could not be run.

            """
    }
}
