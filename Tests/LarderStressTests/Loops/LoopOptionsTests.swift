import Synchronization
import Testing

@testable import LarderStress

struct LoopOptionsTests {
    private let numbers = [LoopNumber(name: "rounds", standard: 300, range: 1...1000)]

    private func options(_ arguments: String...) throws -> LoopOptions {
        try LoopOptions(arguments, of: numbers, seed: 7)
    }

    @Test func withoutAWordItIsTheUsual() throws {
        let options = try options()
        #expect(options["rounds"] == 300 && options.seed == 7 && !options.isJSON && options.role == nil)
    }

    @Test func eachMeasureMayBeSaid() throws {
        let options = try options("--rounds", "5", "--seed", "11", "--json", "--role", "writer", "--folder", "/f")
        #expect(options["rounds"] == 5 && options.seed == 11 && options.isJSON)
        #expect(options.role == "writer" && options.folder == "/f")
    }

    @Test(arguments: [["--rounds"], ["--rounds", "0"], ["--rounds", "many"], ["--what"], ["more"]])
    func whatMakesNoSenseIsRefused(_ arguments: [String]) {
        #expect(throws: LoopOptions.Mistake.self) { try LoopOptions(arguments, of: numbers, seed: 1) }
    }

    @Test func eachLoopHasANameOfItsOwn() {
        let names = StressLoops.all.map { $0.name }
        #expect(Set(names).count == names.count)
        for name in names { #expect(StressLoops.named(name)?.name == name) }
        #expect(StressLoops.named("--readers") == nil)
    }

    /// What is printed, and how it exits.
    private func run(_ arguments: String...) async -> (String, StressCommand.Exit) {
        let text = Mutex("")
        let command = StressCommand(
            print: { line in text.withLock { $0 += line } }, complain: { line in text.withLock { $0 += line } },
            showsProgress: false)
        let exit = await command.run(arguments)
        return (text.withLock { $0 }, exit)
    }

    @Test(arguments: ["faults", "kills", "power", "soak"])
    func aLoopSaysWhatItTakes(_ name: String) async {
        let (text, exit) = await run(name, "--help")
        #expect(exit == .passed && text.hasPrefix("usage: larder-stress \(name)") && text.contains("--seed"))
        // What a loop tells its own processes is nobody else's.
        #expect(!text.contains("--after") && !text.contains("--index"))
        let (mistake, usage) = await run(name, "--what")
        #expect(usage == .usage && mistake.contains("there is no --what"))
    }

    @Test func aReportTellsWhatWasFound() throws {
        var report = LoopReport(KillLoop.self, seed: 9)
        report.count("rounds", 3)
        #expect(report.hasPassed)
        for number in 0..<50 { report.find("finding \(number)") }
        #expect(!report.hasPassed && report.findings == 50)
        #expect(report.description.hasPrefix("kills, seed 9\n  rounds: 3\nfindings: 50\n  finding 0\n"))
        #expect(try report.json.contains("\"findings\" : 50"))
    }
}
