/// What was asked for on the command line.
struct Arguments {
    var isQuick = false
    var isJSON = false
    var wantsHelp = false
    var works: [any Work.Type] = Works.all
    var loop: Meter.Loop?

    static var help: String {
        let works = Works.all.map { "  " + $0.name.padded(to: 9) + $0.summary }.joined(separator: "\n")
        return """
            larder-bench [--quick] [--json] [NAME…]

            Measures larder beside raw C on SQLite doing the same work in the same run. Ratios count; times only give the
            scale. Without a NAME all of these are measured:

            \(works)

              --quick   fewer rounds and smaller stores
              --json    one JSON array instead of a table
              --loop FIGURE ours|raw COUNT
                        runs one side of a figure COUNT times and measures nothing: for a profiler (see scripts/bench)
            """
    }

    init(_ arguments: some Sequence<String>) throws {
        var names: [String] = []
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick": isQuick = true
            case "--json": isJSON = true
            case "--help", "-h": wantsHelp = true
            case "--loop":
                guard let figure = rest.popFirst(), let subject = rest.popFirst().flatMap(Meter.Loop.Subject.init),
                    let count = rest.popFirst().flatMap({ Int($0) })
                else { throw BenchError("--loop wants a figure, ours or raw, and a count") }
                loop = Meter.Loop(figure: figure, subject: subject, count: count)
            case _ where argument.hasPrefix("-"): throw BenchError("unknown option \(argument); see --help")
            default: names.append(argument)
            }
        }
        guard !names.isEmpty else { return }
        works = try names.map { name in
            guard let work = Works.all.first(where: { $0.name == name }) else {
                throw BenchError("there is no work named \(name); see --help")
            }
            return work
        }
    }
}
