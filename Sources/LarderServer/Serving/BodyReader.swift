import CMicroHTTPD
import Foundation

/// A body the daemon asks for in parts, whole or cut short. Never changes once made, so any thread may read it.
final class BodyReader: Sendable {
    private let body: Data
    private let end: Int
    private let isCut: Bool

    /// With `cutAfter`, the connection is closed once that many bytes were given, even when that is the whole body.
    init(_ body: Data, cutAfter: Int?) {
        self.body = body
        end = min(max(cutAfter ?? body.count, 0), body.count)
        isCut = cutAfter != nil
    }

    func read(from position: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard position < UInt64(end) else { return isCut ? Self.brokenOff : Self.ended }
        let start = Int(position)
        return body[body.startIndex + start..<body.startIndex + end].copyBytes(to: buffer)
    }

    /// `MHD_CONTENT_READER_END_OF_STREAM` and `…_WITH_ERROR`, macros that Swift does not see.
    private static let ended = -1
    private static let brokenOff = -2
}

let readBody: MHD_ContentReaderCallback = { context, position, buffer, capacity in
    guard let context, let buffer else { return -2 }
    return Unmanaged<BodyReader>.fromOpaque(context).takeUnretainedValue()
        .read(from: position, into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
}

let releaseBody: MHD_ContentReaderFreeCallback = { context in
    guard let context else { return }
    Unmanaged<BodyReader>.fromOpaque(context).release()
}
