import Foundation
import LarderServer

extension AccessRecord {
    /// `12:00:01Z 127.0.0.1 GET /shops 200 hit 1.5 kB 0.2 ms`, and why in parentheses where something went wrong.
    var line: String {
        let request = method.isEmpty ? "-" : "\(method) \(Printable.line(target))"
        let milliseconds = Double(duration / .microseconds(1)) / 1000
        let words = [detail.map { Printable.line($0) }, isComplete ? nil : "cut"].compactMap { $0 }
        return
            "\(Self.clock(time)) \(peer) \(request) \(status) \(Printable.line(result ?? "-")) \(Units.size(bodyBytes)) "
            + "\(String(format: "%.1f", milliseconds)) ms"
            + (words.isEmpty ? "" : " (\(words.joined(separator: ", ")))")
    }

    /// One object, with sorted keys.
    var json: String {
        let text = JSONText.object([
            ("bytes", .number(bodyBytes)), ("complete", .bool(isComplete)), ("detail", detail.json(JSONText.string)),
            ("method", .string(method)), ("milliseconds", .number(Int(duration / .milliseconds(1)))),
            ("path", .string(target)), ("peer", .string(peer)), ("result", result.json(JSONText.string)),
            ("status", .number(status)), ("time", .timestamp(time)),
        ])
        return String(decoding: text.bytes, as: UTF8.self)
    }

    private static func clock(_ time: Date) -> String {
        let text = time.ISO8601Format()
        return text.dropFirst(11).prefix(8) + "Z"
    }
}
