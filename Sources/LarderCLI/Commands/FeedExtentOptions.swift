import LarderKit

/// How far an operation goes.
struct FeedExtentOptions: Sendable, Hashable {
    private static let maxRequests = Option.value(
        "max-requests", "N",
        help:
            "all, fill --all: stop after so many requests (up to two more where pages have numbers); the same command "
            + "goes on from there",
        default: "100")
    private static let from = Option.value(
        "from", "SIDE", help: "fill: newer (downward) or older (upward, where the server can)", default: "newer")
    private static let wholly = Option.flag("all", help: "fill: until the gap is closed")
    private static let every = Option.value(
        "every", "TIME", help: "watch: how long to wait between two requests, at least 1s", default: "30s")
    private static let count = Option.value(
        "count", "N", help: "watch: end after so many requests", default: "go on until Ctrl-C")

    static let group = CommandSpec.OptionGroup("How far to go:", [maxRequests, from, wholly, every, count])

    let maxRequests: Int
    let side: GapSide
    let isWholly: Bool
    let interval: Duration
    let refreshes: Int?

    /// - Throws: ``UsageError``, also for what the operation has no use for.
    init(_ arguments: ParsedArguments, _ operation: FeedOperation) throws {
        isWholly = arguments.has(Self.wholly)
        for (option, words) in [
            (Self.maxRequests, ["all", "fill"]), (Self.from, ["fill"]), (Self.wholly, ["fill"]),
            (Self.every, ["watch"]),
            (Self.count, ["watch"]),
        ] where arguments.has(option) && !words.contains(operation.word) {
            let fit = words.joined(separator: " or ")
            throw UsageError("\(option.spelling) goes with \(fit), not with \(operation.word): leave it out")
        }
        if case .fill = operation, arguments.has(Self.maxRequests), !isWholly {
            throw UsageError("fill sends one request; with --max-requests say --all, too")
        }
        maxRequests = try arguments.int(Self.maxRequests, in: 1...1_000_000) ?? 100
        side = try arguments.choice(Self.from, of: Side.self)?.side ?? .newer
        interval = try arguments.duration(Self.every) ?? .seconds(30)
        guard interval >= .seconds(1) else { throw UsageError("--every takes a time of at least 1s") }
        refreshes = try arguments.int(Self.count, in: 1...Int.max)
    }

    private enum Side: String, CaseIterable {
        case newer, older

        var side: GapSide { self == .newer ? .newer : .older }
    }
}
