import Foundation
import LarderKit

extension KillLoop {
    /// The process that gets killed: does things in all lanes at once, for as long as it lives.
    func play(_ role: String) async throws {
        guard role == "writer", let folder = options.folder else {
            throw LoopOptions.Mistake(description: "there is no part \(role) without a folder")
        }
        let budget = options["budget"] == 0 ? StorageBudget.standard : StorageBudget(bytes: options["budget"])
        let larder = try Larder(
            .folder(URL(fileURLWithPath: folder, isDirectory: true)), options: LarderOptions(budget: budget))
        let totals = Dictionary(uniqueKeysWithValues: PantryFeed.allCases.map { ($0, options[$0.rawValue]) })
        let work = PantryWork(
            pantry: Pantry(larder, totals: totals), numbers: PantryWork.Numbers(after: options["after"])
        ) { line in
            // In one piece, so that lines of several lanes do not mix.
            FileHandle.standardOutput.write(Data("\(line)\n".utf8))
        }
        await withTaskGroup { group in
            for (number, lane) in PantryWork.Lane.allCases.enumerated() {
                group.addTask {
                    var dice = Dice(seed: options.seed, stream: number + 1)
                    while !Task.isCancelled { await work.step(lane, &dice) }
                }
            }
        }
    }
}
