/// One of the loops that run until nothing is left to go wrong: a subcommand of `larder-stress`.
protocol StressLoop: Sendable {
    static var name: String { get }
    /// What it does, in a line.
    static var summary: String { get }
    /// The numbers that the command line may set, besides the seed.
    static var numbers: [LoopNumber] { get }

    init(_ options: LoopOptions)

    /// - Returns: What was done and found, also where it was stopped before its end.
    func run(_ console: LoopConsole) async throws -> LoopReport
    /// Does the part of a process that the loop has started itself: the one that ``LoopOptions/role`` names.
    func play(_ role: String) async throws
}

extension StressLoop {
    static var numbers: [LoopNumber] { [] }
    func play(_ role: String) async throws { throw LoopOptions.Mistake(description: "there is no part \(role)") }
}

/// All of them, in the order in which they are told of.
enum StressLoops {
    static let all: [any StressLoop.Type] = [
        FaultLoop.self, KillLoop.self, PowerLoop.self, SoakLoop.self, CorruptionLoop.self,
    ]

    static func named(_ name: String) -> (any StressLoop.Type)? { all.first { $0.name == name } }
}

/// A number of a loop that the command line may set.
struct LoopNumber: Sendable, Hashable {
    let name: String
    let standard: Int
    let range: ClosedRange<Int>
    /// Whether it is one that a loop tells the processes that it starts.
    var isInner = false
}
