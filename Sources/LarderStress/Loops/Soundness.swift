import Foundation
import LarderKit

/// What is wrong with a cache by its own word, whatever it is to hold.
enum Soundness {
    /// Changes nothing. To be called while this process does not have the cache open.
    ///
    /// - Parameter forgets: Whether bodies in files of their own may be lost: of them, only rows are promised to survive.
    static func troubles(of folder: URL, forgets: Bool = false) async -> [String] {
        do {
            let report = try await LarderRepair.verify(folder: folder)
            return report.findings.filter { $0.isDamage && !(forgets && $0.kind == .blob) }
                .map { "verify finds (\($0.kind.rawValue)) \($0)" }
        } catch {
            // There may be nothing yet to look at.
            return error.kind == .missing ? [] : ["the cache cannot be verified: \(error)"]
        }
    }

    /// What a cache is opened with to be looked at: nothing is repaired before that.
    static func options(_ durability: Durability = .processCrash) -> LarderOptions {
        LarderOptions(durability: durability, damage: .refuse)
    }
}
