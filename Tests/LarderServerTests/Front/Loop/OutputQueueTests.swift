import Foundation
import Testing

@testable import LarderServer

@Suite struct OutputQueueTests {
    @Test func partsOfAllSizesLeaveInTheirOrderThoughTheReaderIsSlow() throws {
        var ends: [Int32] = [0, 0]
        #if canImport(Darwin)
            let stream = SOCK_STREAM
        #else
            let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        try #require(socketpair(AF_UNIX, stream, 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        var (queue, expected, received) = (OutputQueue(), Data(), Data())
        for round in 0..<40 {
            let part = Data(repeating: UInt8(round), count: round * round * 37)
            queue.append(part)
            queue.append([1, 2])
            queue.append("text")
            queue.append(number: round * 1_000_003)
            queue.append(number: round * 1_000_003, hexadecimal: true)
            let number = String(round * 1_000_003)
            expected += part + [1, 2] + Data("text\(number)\(String(round * 1_000_003, radix: 16))".utf8)
        }
        #expect(queue.count == expected.count)
        while !queue.isEmpty {
            _ = queue.send(to: ends[0])
            var buffer = [UInt8](repeating: 0, count: 5000)
            let count = read(ends[1], &buffer, buffer.count)
            received += buffer.prefix(max(count, 0))
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while case let count = read(ends[1], &buffer, buffer.count), count > 0 { received += buffer.prefix(count) }
        #expect(received == expected)
    }
}
