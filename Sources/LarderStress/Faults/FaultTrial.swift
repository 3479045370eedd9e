import Foundation
import LarderKit
import LarderTestKit

/// One write, to be tried again and again from the same state.
struct FaultTrial: Sendable {
    let item: FaultCase
    let stocked: DiskContents
    /// What is stored before, and after it where nothing fails.
    let old: FaultContents
    let new: FaultContents

    init(_ item: FaultCase, on stocked: DiskContents) async throws {
        self.item = item
        self.stocked = stocked
        let before = try ScratchFolder()
        try stocked.write(to: before.cache)
        old = await FaultContents(of: before.cache)
        let after = try ScratchFolder()
        try stocked.write(to: after.cache)
        let scene = try FaultScene(after.cache, totals: FaultScene.totals)
        _ = try await item.run(scene)
        scene.larder.close()
        new = await FaultContents(of: after.cache)
    }

    /// Tries it once.
    ///
    /// - Parameter number: The operation that is to fail.
    /// - Returns: Whether there was such an operation.
    func run(_ number: Int, _ manner: FaultLoop.Manner, _ report: inout LoopReport) async throws -> Bool {
        let scratch = try ScratchFolder()
        try stocked.write(to: scratch.cache)
        let disk = FaultyDisk()
        var findings: [String] = []
        var claim: FaultCase.Claim?
        do {
            let fail = { disk.fail(number, of: manner.operations, with: manner.fault, manner.failing) }
            if item.start != .open { fail() }
            if let scene = try? FaultScene(scratch.cache, on: disk, totals: FaultScene.totals) {
                // So that there is a connection that reads already.
                let watched = PantryState.Watched(scene.pantry)
                if item.start == .open { fail() }
                claim = try? await item.run(scene)
                if disk.faultCount > 0, manner.canBeRead {
                    findings += watched.findings(in: scene.pantry, old, new, mayForget: manner.fault == .full)
                }
                scene.larder.close()
            }
        }
        let faults = disk.faultCount
        disk.heal()
        let found = await FaultContents(of: scratch.cache)
        findings += found.troubles
        // What else is in a file of its own may have gone to make room.
        let mayGo = manner.fault == .full ? Self.largePlaces : []
        let asOld = found.remembering(mayGo, of: old)
        let asNew = found.remembering(mayGo, of: new)
        if asNew.parts != new.parts {
            findings += asOld.differences(from: old, or: new, by: item.unit)
            if claim == .done, old.parts != new.parts { findings.append("it said that it was done, and was not") }
        }
        if asNew.parts != found.parts { report.count("faults, room was made") }
        for finding in findings {
            report.find("\(item.name), \(manner.fault) \(manner.failing) at \(number): \(finding)")
        }
        count(asNew.parts == new.parts ? asNew : asOld, faults > 0, claim, &report)
        return faults > 0
    }

    private static let largePlaces = Set(["anna", "bob"].map { "\(FaultScene.place("db/1", of: $0))" })

    private func count(
        _ found: FaultContents, _ hasFailed: Bool, _ claim: FaultCase.Claim?, _ report: inout LoopReport
    ) {
        guard hasFailed else { return report.count("runs without a fault left") }
        report.count("faults")
        switch found.parts {
        case new.parts: report.count("faults, new state")
        case old.parts: report.count("faults, old state")
        default: report.count("faults, each part old or new")
        }
        if claim == nil { report.count("faults that were thrown") }
    }
}

extension PantryState {
    /// A value that is looked at before something fails and after.
    struct Watched: Sendable {
        private let places = [FaultScene.place("db/0"), FaultScene.place("db/1"), FaultScene.place("file/0")]

        init(_ pantry: Pantry) {
            for place in places { _ = Self.version(of: place, in: pantry) }
        }

        /// What is wrong with what is shown while the disk fails: it is what was stored, or what was to be.
        ///
        /// - Parameter mayForget: Whether a large value may have gone to make room.
        func findings(
            in pantry: Pantry, _ old: FaultContents, _ new: FaultContents, mayForget: Bool
        ) -> [String] {
            places.compactMap { place in
                let shown = Self.version(of: place, in: pantry)
                guard let shown, !(mayForget && place.key == "db/1" && shown == .version(0)) else { return nil }
                let known = [old, new].compactMap { $0.parts["\(place)"] }
                guard !known.contains(where: { $0.hasPrefix("\(shown) ") }) else { return nil }
                return "\(place) showed \(shown) meanwhile, and was \(known[0])"
            }
        }

        /// `nil` where the account was signed out of.
        private static func version(of place: PantryPlace, in pantry: Pantry) -> Value? {
            do {
                return .version(try pantry.resource(place).peek()?.value.version ?? 0)
            } catch {
                if case .signedOut = error { return nil }
                return .unreadable(Reason(text: "\(error)", isDamage: false))
            }
        }
    }
}
