import Foundation
import LarderKit
import LarderTestKit
import Synchronization
import Testing

@testable import LarderStress

/// The loops, a little of each.
struct LoopRunTests {
    private func options(_ loop: any StressLoop.Type, _ arguments: String...) throws -> LoopOptions {
        try LoopOptions(arguments, of: loop.numbers, seed: 3)
    }

    // MARK: Faults

    @Test(.timeLimit(.minutes(5))) func aWriteIsOldOrNewOnADiskThatFails() async throws {
        var loop = FaultLoop(try options(FaultLoop.self, "--every", "9"))
        loop.cases = FaultCase.all.filter {
            ["store a large value", "refresh notes", "sign out"].contains($0.name)
        }
        let report = try await loop.run(LoopConsole())
        #expect(report.firstFindings == [])
        #expect(report.counts["writes tried"] == 3)
        #expect(report.counts["faults"] ?? 0 > 20)
        #expect(report.counts["faults, old state"] ?? 0 > 0 && report.counts["faults, new state"] ?? 0 > 0)
    }

    /// A write in two halves, of which one may be lost.
    @Test(.timeLimit(.minutes(5))) func aWriteThatIsHalfDoneIsFound() async throws {
        var loop = FaultLoop(try options(FaultLoop.self, "--every", "2"))
        loop.cases = [
            FaultCase("half") { scene in
                try await scene.store(FaultScene.place("db/0"), version: FaultVersion.small(20))
                try await scene.store(FaultScene.place("db/2"), version: FaultVersion.small(21))
                return .done
            }
        ]
        #expect(try await !loop.run(LoopConsole()).hasPassed)
    }

    /// One that says that it was done whatever came of it.
    @Test(.timeLimit(.minutes(5))) func aWriteThatLiesIsFound() async throws {
        var loop = FaultLoop(try options(FaultLoop.self, "--every", "2"))
        loop.cases = [
            FaultCase("lie") { scene in
                try? await scene.store(FaultScene.place("db/0"), version: FaultVersion.small(20))
                return .done
            }
        ]
        #expect(try await !loop.run(LoopConsole()).hasPassed)
    }

    // MARK: Power

    @Test(.timeLimit(.minutes(5))) func aCacheIsSoundWhenThePowerGoes() async throws {
        let loop = PowerLoop(try options(PowerLoop.self, "--steps", "30", "--points", "12", "--states", "4"))
        let report = try await loop.run(LoopConsole())
        #expect(report.firstFindings == [])
        #expect(report.counts["states opened, powerLoss"] ?? 0 > 12)
        #expect(report.counts["states opened, processCrash"] ?? 0 > 12)
    }

    /// Work that was only promised to survive the process, taken for more.
    @Test(.timeLimit(.minutes(5))) func aWriteThatIsNotSyncedIsFound() async throws {
        let loop = PowerLoop(try options(PowerLoop.self, "--points", "12", "--states", "6"))
        let history = try await PowerHistory.make(.processCrash, seed: 3, steps: 40)
        var report = LoopReport(PowerLoop.self, seed: 3)
        try await loop.check(history, .powerLoss, &report, LoopConsole())
        #expect(!report.hasPassed)
    }

    // MARK: Kills

    @Test(.timeLimit(.minutes(5))) func whatAKilledProcessHasWrittenIsThere() async throws {
        var loop = KillLoop(try options(KillLoop.self, "--rounds", "3"))
        loop.tool = try ToolFile.url
        let console = LoopConsole()
        let report = try await loop.run(console)
        #expect(report.firstFindings == [])
        #expect(report.counts["rounds"] == 3)
        #expect(console.children.count == 0)
    }

    @Test func aProcessThatEndsByItselfIsFound() async throws {
        var loop = KillLoop(try options(KillLoop.self, "--rounds", "1"))
        loop.tool = URL(fileURLWithPath: "/bin/echo")
        let report = try await loop.run(LoopConsole())
        // It has said something else, and was not killed.
        #expect(report.findings == 2)
    }

    @Test func aCacheThatLostAWriteIsFound() async throws {
        let scratch = try ScratchFolder()
        let loop = KillLoop(try options(KillLoop.self))
        var model = PantryModel()
        var report = LoopReport(KillLoop.self, seed: 1)
        loop.take(["b 1 store anna/db/0", "e 1 done"], into: &model, &report, 0)
        await loop.check(scratch.cache, &model, &report, 0)
        #expect(report.findings == 1)
        loop.take(["Fatal error: something"], into: &model, &report, 1)
        #expect(report.findings == 2)
    }

    // MARK: Soak

    @Test(.timeLimit(.minutes(5))) func processesOnOneCacheLoseNothing() async throws {
        var loop = SoakLoop(try options(SoakLoop.self, "--seconds", "1", "--writers", "2", "--readers", "1"))
        loop.tool = try ToolFile.url
        let console = LoopConsole()
        let report = try await loop.run(console)
        #expect(report.firstFindings == [])
        #expect(report.counts["writes"] ?? 0 > 0 && report.counts["reads"] ?? 0 > 0)
        #expect(console.children.count == 0)
    }

    @Test(arguments: [(1, 1), (6, 6), (7, 7), (20, 20), (20, 15), (3, 0)])
    func theLastNumberOfAPlaceIsKnown(_ writes: Int, _ last: Int) {
        let place = last == 0 ? SoakPlace.all(of: 0)[5] : SoakPlace.place(of: last, writer: 0)
        #expect(SoakPlace.last(of: place, writer: 0, upTo: writes) == last)
    }

    // MARK: What a loop starts

    @Test func aStoppedLoopLeavesNoProcess() async throws {
        let console = LoopConsole()
        let child = try Child(URL(fileURLWithPath: "/bin/cat"), [], among: console.children)
        #expect(console.children.count == 1)
        console.stop()
        #expect(await child.end().isKill)
        #expect(console.children.count == 0 && console.isStopped)
    }

    @Test func aProcessEndsWithItsInput() async throws {
        let children = Children()
        let child = try Child(URL(fileURLWithPath: "/bin/cat"), [], among: children)
        child.release()
        #expect(await child.end() == .init(status: 0, isBySignal: false))
    }
}

/// The program that loops start.
private enum ToolFile {
    /// Beside the test bundle, where the build puts every product.
    static var url: URL {
        get throws {
            let bundles = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
            let own = CommandLine.arguments.first.map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
            let folders = bundles.flatMap { [$0, $0.deletingLastPathComponent()] } + [own].compactMap { $0 }
            return try #require(
                folders.map { $0.appendingPathComponent("larder-stress") }.first {
                    FileManager.default.isExecutableFile(atPath: $0.path) && !$0.hasDirectoryPath
                })
        }
    }
}
