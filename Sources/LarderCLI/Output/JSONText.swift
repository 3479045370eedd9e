import Foundation

/// A piece of JSON as bytes. Values from servers are put in as they are: nothing is read and written anew.
struct JSONText: Sendable, Hashable {
    let bytes: Data

    private init(_ bytes: Data) {
        self.bytes = bytes
    }

    /// Bytes that are JSON already.
    static func verbatim(_ bytes: Data) -> JSONText { JSONText(bytes) }

    /// The same for a line of its own. Line breaks stand between the parts of JSON only, never within a text (RFC 8259
    /// section 7), and mean there what blanks do.
    static func onOneLine(_ bytes: Data) -> JSONText {
        JSONText(Data(bytes.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }))
    }

    static let null = JSONText(Data("null".utf8))

    static func bool(_ value: Bool) -> JSONText { JSONText(Data((value ? "true" : "false").utf8)) }

    static func number(_ value: Int) -> JSONText { JSONText(Data(String(value).utf8)) }

    /// Seconds with milliseconds.
    static func seconds(_ duration: Duration) -> JSONText { JSONText(Data(Units.seconds(duration).utf8)) }

    /// A share of one, in thousandths.
    static func rate(_ rate: Double) -> JSONText { JSONText(Data(String((rate * 1000).rounded() / 1000).utf8)) }

    static func timestamp(_ date: Date) -> JSONText { string(Units.timestamp(date)) }

    static func string(_ text: String) -> JSONText {
        var bytes = Data("\"".utf8)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0x0A:
                bytes.append(contentsOf: "\\n".utf8)
            case ..<0x20:
                bytes.append(contentsOf: (byte < 16 ? "\\u000" : "\\u00").utf8)
                bytes.append(contentsOf: String(byte, radix: 16).utf8)
            default:
                bytes.append(byte)
            }
        }
        bytes.append(contentsOf: "\"".utf8)
        return JSONText(bytes)
    }

    static func array(_ elements: [JSONText]) -> JSONText {
        enclosed("[", elements.map(\.bytes), "]")
    }

    static func object(_ members: [(name: String, value: JSONText)]) -> JSONText {
        enclosed("{", members.map { string($0.name).bytes + Data(":".utf8) + $0.value.bytes }, "}")
    }

    private static func enclosed(_ start: String, _ parts: [Data], _ end: String) -> JSONText {
        var bytes = Data(start.utf8)
        bytes.append(contentsOf: parts.joined(separator: Data(",".utf8)))
        bytes.append(contentsOf: end.utf8)
        return JSONText(bytes)
    }
}

extension Optional {
    /// The value as JSON, or `null`.
    func json(_ form: (Wrapped) -> JSONText) -> JSONText { map(form) ?? .null }
}
