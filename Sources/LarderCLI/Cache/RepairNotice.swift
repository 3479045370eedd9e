import Foundation
import LarderKit

/// Tells whoever asks for something else that the cache was damaged, and what has become of it.
struct RepairNotice: LarderLog {
    let folder: URL

    func note(_ event: LarderEvent) {
        guard let line = line(event) else { return }
        // Where nobody can be told, what was asked for is still shown.
        try? StandardStream.error.line(Terminal.error.styled("larder: warning: \(line)", .yellow))
    }

    /// `nil` for what is no word of a repair.
    func line(_ event: LarderEvent) -> String? {
        switch event {
        case .repaired(_, let lost, let gaps):
            let losses = [
                lost > 0 ? "\(Units.count(lost, "row")) lost" : nil,
                gaps > 0 ? "\(Units.count(gaps, "gap")) left in lists" : nil,
            ].compactMap { $0 }
            let cost = losses.isEmpty ? "nothing is known to be lost" : losses.joined(separator: ", ")
            return "the cache \(folder.path) was damaged and has been repaired: \(cost). "
                + "A damaged database is set aside in its folder 'damaged'."
        case .repairFailed:
            return "the cache \(folder.path) is damaged and could not be repaired. \(CacheFolder.ways(of: folder))"
        default:
            return nil
        }
    }
}
