import Foundation

/// Records as bytes (<https://www.sqlite.org/fileformat2.html#record_format>).
enum RecordFormat {
    /// The values of a record, or `nil` when the bytes are none: they have to fill the payload exactly.
    static func values(of payload: RawBytes, encoding: UInt32) -> [SQLValue]? {
        guard let header = payload.varint(0), let headerEnd = Int(exactly: header.value), headerEnd <= payload.count,
            headerEnd >= header.end
        else { return nil }
        var values: [SQLValue] = []
        var (position, body) = (header.end, headerEnd)
        while position < headerEnd {
            guard let type = payload.varint(position), type.end <= headerEnd, let size = size(ofType: type.value),
                size <= payload.count - body, let bytes = payload.slice(body..<body + size)
            else { return nil }
            values.append(value(ofType: type.value, bytes, encoding: encoding))
            position = type.end
            body += size
        }
        return body == payload.count ? values : nil
    }

    private static func size(ofType type: UInt64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1...4: Int(type)
        case 5: 6
        case 6, 7: 8
        case 10, 11: nil
        default: Int(exactly: (type - 12) / 2)
        }
    }

    private static func value(ofType type: UInt64, _ bytes: ArraySlice<UInt8>, encoding: UInt32) -> SQLValue {
        switch type {
        case 0: return .null
        case 1...6: return .integer(integer(bytes))
        case 7:
            let number = Double(bitPattern: UInt64(bitPattern: integer(bytes)))
            return number.isNaN ? .null : .real(number)
        case 8: return .integer(0)
        case 9: return .integer(1)
        case _ where type % 2 == 0: return .blob(Data(bytes))
        default: return text(bytes, encoding: encoding)
        }
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let isNegative = (bytes.first ?? 0) >= 0x80
        return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    /// Bytes that are no text in the file's encoding stay bytes.
    private static func text(_ bytes: ArraySlice<UInt8>, encoding: UInt32) -> SQLValue {
        let text =
            switch encoding {
            case 2: String(bytes: bytes, encoding: .utf16LittleEndian)
            case 3: String(bytes: bytes, encoding: .utf16BigEndian)
            default: String(validating: bytes, as: UTF8.self)
            }
        return text.map { .text($0) } ?? .blob(Data(bytes))
    }
}
