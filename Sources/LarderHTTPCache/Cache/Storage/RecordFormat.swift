import LarderKit

import struct Foundation.Data
import struct Foundation.Date

/// How a stored answer is written: version, facts, texts with their lengths, and an inline body at the end. Numbers are little-endian.
///
/// The row has a checksum, so that what is read here is what was written. It is read carefully all the same: a row may be of
/// another version, or by another program.
enum RecordFormat {
    private static let version: UInt8 = 1

    private enum Flags {
        static let keptByRule: UInt8 = 1
        static let ofAuthorised: UInt8 = 2
    }

    /// No body is longer, nor lies in more chunks: a row that says so is none of ours, and counting with it would have no end.
    private static let longestBody = 1 << 40
    private static let mostChunks = 1 << 20

    static func encode(_ record: AnswerRecord) -> Data {
        var writer = Writer()
        let answer = record.answer
        writer.byte(version)
        writer.byte((answer.isKeptByRule ? Flags.keptByRule : 0) | (answer.isOfAuthorised ? Flags.ofAuthorised : 0))
        writer.number(answer.status)
        writer.number(Int(bitPattern: UInt(answer.requestedAt.timeIntervalSince1970.bitPattern)))
        writer.number(Int(bitPattern: UInt(answer.receivedAt.timeIntervalSince1970.bitPattern)))
        writer.number(answer.size)
        writer.optional(answer.part) { writer, part in
            writer.number(part.first)
            writer.number(part.last)
            writer.optional(part.total) { $0.number($1) }
        }
        writer.text(answer.reason)
        writer.optional(answer.client) { $0.text($1) }
        writer.number(answer.headers.fields.count)
        for field in answer.headers.fields {
            writer.text(field.name)
            writer.text(field.value)
        }
        writer.number(answer.variant.fields.count)
        for field in answer.variant.fields {
            writer.text(field.name)
            writer.optional(field.value) { $0.text($1) }
        }
        switch record.body {
        case .inline(let data):
            writer.byte(0)
            writer.bytes.append(data)
        case .chunks(let id, let chunkSize):
            writer.byte(1)
            writer.text(id)
            writer.number(chunkSize)
        }
        return writer.bytes
    }

    /// `nil` for what is no answer of this version.
    static func decode(_ entry: StoredEntry) -> AnswerRecord? {
        guard [AnswerNames.codec, AnswerNames.ownCodec].contains(entry.metadata.codec) else { return nil }
        var reader = Reader(rest: entry.body[...])
        guard var record = reader.record() else { return nil }
        record.stamp = entry.metadata.stamp
        record.answer.isInvalidated = entry.metadata.isInvalidated
        return record
    }

    private struct Writer {
        var bytes = Data()

        mutating func byte(_ byte: UInt8) { bytes.append(byte) }

        mutating func number(_ number: Int) {
            withUnsafeBytes(of: Int64(number).littleEndian) { bytes.append(contentsOf: $0) }
        }

        mutating func text(_ text: String) {
            number(text.utf8.count)
            bytes.append(contentsOf: text.utf8)
        }

        mutating func optional<T>(_ value: T?, _ write: (inout Writer, T) -> Void) {
            byte(value == nil ? 0 : 1)
            if let value { write(&self, value) }
        }
    }

    private struct Reader {
        var rest: Data

        mutating func record() -> AnswerRecord? {
            guard byte() == RecordFormat.version, let flags = byte(), let status = number(), let asked = number(),
                let received = number(), let size = number(),
                0...RecordFormat.longestBody ~= size,
                let part = optional({ $0.part() }), let reason = text(), let client = optional({ $0.text() }),
                let headers = list({ reader in
                    reader.text().flatMap { name in reader.text().map { HeaderFields.Field(name: name, value: $0) } }
                }),
                let variant = list({ reader in
                    reader.text().flatMap { name in
                        reader.optional { $0.text() }.map { Variant.Field(name: name, value: $0) }
                    }
                }),
                let body = body(size)
            else { return nil }
            var answer = StoredAnswer(
                status: status, reason: reason, headers: HeaderFields(headers), variant: Variant(variant),
                requestedAt: Date(timeIntervalSince1970: Double(bitPattern: UInt64(UInt(bitPattern: asked)))),
                receivedAt: Date(timeIntervalSince1970: Double(bitPattern: UInt64(UInt(bitPattern: received)))),
                size: size, part: part)
            answer.isKeptByRule = flags & Flags.keptByRule != 0
            answer.isOfAuthorised = flags & Flags.ofAuthorised != 0
            answer.client = client
            return AnswerRecord(answer: answer, stamp: 0, body: body)
        }

        private mutating func part() -> StoredAnswer.Part? {
            guard let first = number(), let last = number(), first >= 0, last >= first,
                last < Decimal.limit, let total = optional({ $0.number() }), total.map({ last < $0 }) ?? true
            else { return nil }
            return StoredAnswer.Part(first: first, last: last, total: total)
        }

        private mutating func body(_ size: Int) -> StoredBody? {
            switch byte() {
            case 0: return rest.count == size ? .inline(Data(rest)) : nil
            case 1:
                guard let id = text(), let chunkSize = number(), 1...RecordFormat.longestBody ~= chunkSize,
                    size / chunkSize <= RecordFormat.mostChunks, rest.isEmpty
                else { return nil }
                return .chunks(id: id, chunkSize: chunkSize)
            default: return nil
            }
        }

        private mutating func byte() -> UInt8? { rest.popFirst() }

        private mutating func number() -> Int? {
            guard rest.count >= 8 else { return nil }
            let value = rest.withUnsafeBytes { Int64(littleEndian: $0.loadUnaligned(as: Int64.self)) }
            rest = rest.dropFirst(8)
            return Int(exactly: value)
        }

        private mutating func text() -> String? {
            guard let count = number(), count >= 0, count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return String(validating: rest.prefix(count), as: UTF8.self)
        }

        /// The outer `nil` is for what cannot be read.
        private mutating func optional<T>(_ read: (inout Reader) -> T?) -> T?? {
            switch byte() {
            case 0: return .some(nil)
            case 1: return read(&self).map { .some($0) }
            default: return nil
            }
        }

        private mutating func list<T>(_ read: (inout Reader) -> T?) -> [T]? {
            guard let count = number(), count >= 0, count <= rest.count else { return nil }
            var elements: [T] = []
            for _ in 0..<count {
                guard let element = read(&self) else { return nil }
                elements.append(element)
            }
            return elements
        }
    }
}
