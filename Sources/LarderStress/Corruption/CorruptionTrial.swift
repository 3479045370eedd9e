import Foundation
import LarderKit

/// One damaged cache: opened, read, verified, repaired, and read again.
struct CorruptionTrial {
    let cache: KnownCache
    let folder: URL
    /// Opens it so that it repairs itself as soon as damage is met.
    let repairsItself: Bool

    func run(_ report: inout LoopReport) async -> [String] {
        var findings: [String] = []
        do throws(StorageError) {
            let larder = try cache.open(folder, repairsItself ? .repair : .refuse)
            let served = cache.read(larder)
            larder.close()
            report.count("opened")
            if served.errors > 0 { report.count("opened with damage met") }
            findings += served.wrong.prefix(2).map { "damaged: \($0)" }
            // An index that is damaged hides items until that is found: nothing in a row tells of the one beside it.
            if !served.holes.isEmpty { report.count("holes shown before the repair") }
        } catch {
            report.count("not opened: \(error.kind)")
        }
        do throws(StorageError) {
            let verified = try await LarderRepair.verify(folder: folder)
            report.count(verified.isSound ? "verified as sound" : "verified as damaged")
            let repair = try await LarderRepair.repair(folder: folder)
            report.count("repair: \(repair.outcome.rawValue)")
            let after = try await LarderRepair.verify(folder: folder)
            if !after.isSound {
                findings.append("not sound after the repair: \(after.findings.prefix(3).map(\.explanation))")
            }
            let larder = try cache.open(folder)
            defer { larder.close() }
            let served = cache.read(larder)
            findings += (served.wrong + served.holes).prefix(2).map { "repaired: \($0)" }
            if served.errors > 0 { findings.append("\(served.errors) errors after the repair") }
            report.count("values served after", served.values)
            report.count("items served after", served.items)
            report.count("gaps after", served.gaps)
        } catch {
            // What says that it is another's, or of a later version, is left alone.
            guard error.kind == .notALarder || error.kind == .newerFormat else {
                return findings + ["failed: \(error.kind), \(error)"]
            }
            report.count("refused: \(error.kind)")
        }
        return findings
    }
}
