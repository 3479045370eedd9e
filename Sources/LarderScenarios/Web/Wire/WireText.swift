import Foundation
import LarderHTTPCache
import LarderKit

/// Heads of messages as they are on the wire, one character a byte.
enum WireText {
    static func bytes(_ text: String) -> Data {
        Data(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    static func text(_ bytes: Data) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    static func head(_ line: String, _ headers: HeaderFields) -> Data {
        let fields = headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        return bytes("\(line)\r\n\(fields)\r\n")
    }

    /// The start line and the fields of a head, which ends with an empty line.
    static func parse(_ head: Data) -> (line: String, headers: HeaderFields) {
        var lines = text(head).components(separatedBy: "\r\n")
        let line = lines.removeFirst()
        var headers = HeaderFields()
        for text in lines {
            guard let colon = text.firstIndex(of: ":") else { continue }
            headers.append(
                name: String(text[..<colon]),
                value: text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        return (line, headers)
    }
}

/// Reads a connection message by message.
struct WireReader {
    private let socket: Socket
    private var buffer = Data()

    init(_ socket: Socket) { self.socket = socket }

    private mutating func fill() -> Bool {
        guard let data = socket.receive() else { return false }
        buffer = Data(buffer) + data
        return true
    }

    /// The next head, with its empty line; `nil` when the other side has closed.
    mutating func head() -> Data? {
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let range = buffer.range(of: end) {
                defer { buffer = Data(buffer[range.upperBound...]) }
                return Data(buffer[..<range.upperBound])
            }
            guard fill() else { return nil }
        }
    }

    /// So many bytes, or fewer where no more come.
    mutating func bytes(_ count: Int) -> Data {
        while buffer.count < count, fill() {}
        defer { buffer = Data(buffer.dropFirst(count)) }
        return Data(buffer.prefix(count))
    }

    mutating func line() -> String? {
        while true {
            if let range = buffer.range(of: Data("\r\n".utf8)) {
                defer { buffer = Data(buffer[range.upperBound...]) }
                return WireText.text(buffer[..<range.lowerBound])
            }
            guard fill() else { return nil }
        }
    }

    /// A body in chunks, without its trailers; `nil` where it is not whole.
    mutating func chunks() -> Data? {
        var body = Data()
        while let line = line(), let size = Int(line.prefix { $0 != ";" && $0 != " " }, radix: 16) {
            if size == 0 {
                while let line = self.line() { if line.isEmpty { return body } }
                return nil
            }
            let chunk = bytes(size)
            guard chunk.count == size, line.isEmpty == false, self.line() == "" else { return nil }
            body += chunk
        }
        return nil
    }

    /// All that comes until the other side closes.
    mutating func rest() -> Data {
        while fill() {}
        return buffer
    }
}
