import Foundation
import LarderSQLite
import Testing

@testable import LarderSQLite

/// Whatever the bytes are: no trap, and an end.
@Suite struct SalvageFuzzTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func anyBytesAreReadToAnEnd(seed: UInt64) throws {
        var random = Xorshift(seed)
        let forms = [
            SampleFile.Form(pageSize: 512, autoVacuum: true, leavesLog: true, rows: 60),
            SampleFile.Form(pageSize: 1024, rows: 80), SampleFile.Form(pageSize: 4096, autoVacuum: true, rows: 60),
        ]
        let samples = try forms.map { try SampleFile($0) }
        var read = 0
        for _ in 0..<300 {
            guard let sample = samples.randomElement(using: &random) else { continue }
            let file = damaged(sample.file, &random)
            let log = sample.log.map { damaged($0, &random) }
            guard let image = DatabaseImage(file: file, log: log) else { continue }
            for row in image.schema where row.rootPage > 0 {
                _ = image.rows(ofTableRootedAt: row.rootPage) { _ in read += 1 }
                _ = image.entries(ofIndexRootedAt: row.rootPage) { _ in read += 1 }
            }
            _ = image.orphans { _ in read += 1 }
        }
        #expect(read > 1000)
    }

    private func damaged(_ data: Data, _ random: inout Xorshift) -> Data {
        var bytes = [UInt8](data)
        guard !bytes.isEmpty else { return data }
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 2:
                // Where headers and pointers are.
                bytes[place / 512 * 512 + Int.random(in: 0..<min(40, bytes.count % 512 + 1), using: &random)] = .max
            case 3: bytes.removeLast(min(bytes.count - 1, Int.random(in: 0...2000, using: &random)))
            case 4:
                let other = Int.random(in: 0..<bytes.count, using: &random) / 512 * 512
                let page = place / 512 * 512
                for offset in 0..<512 where max(page, other) + offset < bytes.count {
                    bytes.swapAt(page + offset, other + offset)
                }
            case 5: for offset in place..<min(bytes.count, place + 700) { bytes[offset] = 0 }
            default:
                for offset in place..<min(bytes.count, place + 64) {
                    bytes[offset] = UInt8.random(in: 0...255, using: &random)
                }
            }
        }
        return Data(bytes)
    }
}

/// The same numbers at every run.
struct Xorshift: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
