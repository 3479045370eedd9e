import Foundation
import LarderServer

extension AccessRecord {
    /// `12:00:01 127.0.0.1 GET /shops 200 hit 1.5 kB 0.2 ms`
    var line: String {
        let clock = Self.clock(time)
        let request = method.isEmpty ? "-" : "\(method) \(Printable.line(target))"
        let end = isComplete ? "" : " cut"
        let milliseconds = Double(duration / .microseconds(1)) / 1000
        return "\(clock) \(peer) \(request) \(status) \(Printable.line(note ?? "-")) \(Units.size(bodyBytes)) "
            + "\(String(format: "%.1f", milliseconds)) ms\(end)"
    }

    /// One object, with sorted keys.
    var json: String {
        let text = JSONText.object([
            ("bytes", .number(bodyBytes)), ("complete", .bool(isComplete)),
            ("method", .string(method)), ("milliseconds", .number(Int(duration / .milliseconds(1)))),
            ("path", .string(target)), ("peer", .string(peer)), ("result", .string(note ?? "")),
            ("status", .number(status)), ("time", .timestamp(time)),
        ])
        return String(decoding: text.bytes, as: UTF8.self)
    }

    private static func clock(_ time: Date) -> String {
        let text = time.ISO8601Format()
        return String(text.dropFirst(11).prefix(8))
    }
}
