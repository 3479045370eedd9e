import CEvents

import struct Foundation.Data

/// What waits to be sent on one connection, in order. Small parts are put together; large ones are not copied.
struct OutputQueue {
    private enum Segment {
        case bytes([UInt8])
        case data(Data)

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .data(let data): data.count
            }
        }
    }

    private var segments: [Segment] = []
    /// What comes behind the segments.
    private var tail: [UInt8] = []
    /// How much of the first part has been sent.
    private var offset = 0
    /// In bytes.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ bytes: [UInt8]) {
        tail.append(contentsOf: bytes)
        count += bytes.count
    }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { tail.append(contentsOf: $0) }
        count += text.utf8CodeUnitCount
    }

    /// In digits.
    mutating func append(number: Int, hexadecimal: Bool = false) {
        let base = hexadecimal ? 16 : 10
        var (rest, digits, length) = (number, (0, 0) as (UInt64, UInt64), 0)
        repeat {
            let digit = UInt64(rest % base)
            if length < 8 {
                digits.0 |= digit << UInt64(length * 8)
            } else {
                digits.1 |= digit << UInt64((length - 8) * 8)
            }
            length += 1
            rest /= base
        } while rest > 0 && length < 16
        for place in stride(from: length - 1, through: 0, by: -1) {
            let half = place < 8 ? digits.0 >> UInt64(place * 8) : digits.1 >> UInt64((place - 8) * 8)
            let digit = UInt8(truncatingIfNeeded: half)
            tail.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
        count += length
    }

    mutating func append(_ data: Data) {
        guard data.count > Self.copied else {
            data.withUnsafeBytes { tail.append(contentsOf: $0) }
            count += data.count
            return
        }
        if !tail.isEmpty {
            segments.append(.bytes(tail))
            tail = []
        }
        segments.append(.data(data))
        count += data.count
    }

    /// Sends as much as the system takes at once.
    ///
    /// - Returns: The number of bytes, or the negative error number.
    mutating func send(to socket: Int32) -> Int {
        var parts: [iovec] = []
        let sent =
            segments.isEmpty
            ? tail.withUnsafeBytes { Self.send([Self.part($0, from: offset)], to: socket) }
            : send(from: 0, &parts, to: socket)
        if sent > 0 { drop(sent) }
        return sent
    }

    /// Gives back what is kept for more.
    mutating func shrink() {
        guard isEmpty else { return }
        (segments, tail) = ([], [])
    }

    private func send(from index: Int, _ parts: inout [iovec], to socket: Int32) -> Int {
        let skipped = index == 0 ? offset : 0
        guard index < segments.count, index < Self.partsAtOnce else {
            guard index == segments.count, !tail.isEmpty else { return Self.send(parts, to: socket) }
            return tail.withUnsafeBytes { Self.send(parts + [Self.part($0, from: 0)], to: socket) }
        }
        let next = { (bytes: UnsafeRawBufferPointer, parts: inout [iovec]) -> Int in
            parts.append(Self.part(bytes, from: skipped))
            return send(from: index + 1, &parts, to: socket)
        }
        return switch segments[index] {
        case .bytes(let bytes): bytes.withUnsafeBytes { next($0, &parts) }
        case .data(let data): data.withUnsafeBytes { next($0, &parts) }
        }
    }

    private mutating func drop(_ sent: Int) {
        count -= sent
        offset += sent
        var whole = 0
        while whole < segments.count, offset >= segments[whole].count {
            offset -= segments[whole].count
            whole += 1
        }
        segments.removeFirst(whole)
        if segments.isEmpty, offset == tail.count {
            offset = 0
            tail.removeAll(keepingCapacity: tail.capacity <= Self.kept)
        }
    }

    private static func part(_ bytes: UnsafeRawBufferPointer, from start: Int) -> iovec {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        return iovec(iov_base: UnsafeMutableRawPointer(mutating: rest.baseAddress), iov_len: rest.count)
    }

    private static func send(_ parts: [iovec], to socket: Int32) -> Int {
        larder_send(socket, parts, Int32(parts.count))
    }

    private static let copied = 8 << 10
    private static let kept = 64 << 10
    private static let partsAtOnce = 8
}
