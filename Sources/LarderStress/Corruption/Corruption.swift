import Foundation
import LarderTestKit

/// Damages the files of a cache as disks do, and worse.
struct Corruption {
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// Damages one to three places in the files of a folder, the database and its log before all.
    ///
    /// - Returns: What was done.
    mutating func run(in folder: URL) throws -> [String] {
        var done: [String] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let name = try pick(in: folder)
            let file = folder.appendingPathComponent(name)
            var bytes = [UInt8](try Data(contentsOf: file))
            guard !bytes.isEmpty else { continue }
            let act = damage(&bytes)
            try Data(bytes).write(to: file)
            // The names of other files are drawn by lot.
            done.append("\(name.hasPrefix("cache") ? name : String(name.prefix(while: { $0 != "/" }))): \(act)")
        }
        return done
    }

    private mutating func pick(in folder: URL) throws -> String {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        let files = names.filter { name in
            !name.hasPrefix("damaged") && !name.hasSuffix("-shm") && !name.hasSuffix("lock") && name != "reserve"
                && !folder.appendingPathComponent(name).hasDirectoryPath
        }.filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(
                atPath: folder.appendingPathComponent(name).path, isDirectory: &isFolder) && !isFolder.boolValue
        }
        let databases = files.filter { $0.hasPrefix("cache") }
        let isOther = Int.random(in: 0..<6, using: &random) == 0
        return (isOther ? files : databases).randomElement(using: &random) ?? "cache.sqlite"
    }

    private mutating func damage(_ bytes: inout [UInt8]) -> String {
        let page = 8192
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let start = place / page * page
        let other = Int.random(in: 0..<bytes.count, using: &random) / page * page
        let length = min(page, bytes.count - max(start, other))
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1, 2:
            let bit = Int.random(in: 0..<8, using: &random)
            bytes[place] ^= 1 << UInt8(bit)
            return "bit \(bit) of byte \(place)"
        case 3:
            for _ in 0..<20 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            return "twenty bytes"
        case 4:
            // Where the heads of pages are.
            let offset = min(bytes.count - 1, start + Int.random(in: 0..<108, using: &random))
            bytes[offset] = UInt8.random(in: 0...255, using: &random)
            return "byte \(offset)"
        case 5:
            bytes.removeLast(min(bytes.count, Int.random(in: 1...max(1, bytes.count / 2), using: &random)))
            return "cut to \(bytes.count)"
        case 6:
            for offset in 0..<length { bytes.swapAt(start + offset, other + offset) }
            return "\(start) and \(other) swapped"
        case 7:
            for offset in 0..<length { bytes[start + offset] = bytes[other + offset] }
            return "\(other) written over \(start)"
        case 8:
            let end = min(bytes.count, place + Int.random(in: 1...3 * page, using: &random))
            for offset in place..<end { bytes[offset] = 0 }
            return "\(place) to \(end) zeroed"
        default:
            for offset in start..<min(bytes.count, start + page) {
                bytes[offset] = UInt8.random(in: 0...255, using: &random)
            }
            return "page at \(start) overwritten"
        }
    }
}
