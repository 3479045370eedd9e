public import Foundation

/// The name and version of a codec, as a stored row bears them.
public struct CodecID: Sendable, Hashable {
    public let name: String
    public let version: Int

    public init(name: String, version: Int = 1) {
        self.name = name
        self.version = version
    }
}

extension CodecID: CustomStringConvertible {
    public var description: String { "\(name) \(version)" }
}

/// How values become bytes and come back.
///
/// Every stored row names its codec and version. A row under another codec's name is not decoded but reported as
/// undecodable. One under another version is brought up to date first where the codec says how (``upgrading(_:)``), and
/// tried as it is otherwise; the error names both versions when it fails.
public struct Codec<Value: Sendable>: Sendable {
    public let id: CodecID
    public let encode: @Sendable (Value) throws -> Data
    public let decode: @Sendable (Data) throws -> Value
    /// Makes bytes of an earlier version ones of this.
    private(set) var upgrade: (@Sendable (Data, Int) throws -> Data)?

    public init(
        _ id: CodecID, encode: @escaping @Sendable (Value) throws -> Data,
        decode: @escaping @Sendable (Data) throws -> Value
    ) {
        self.id = id
        self.encode = encode
        self.decode = decode
    }
}

extension Codec {
    /// The same codec, which reads what earlier versions of the app's model have stored: `upgrade` is given those bytes
    /// with their version, and returns bytes of this version. It runs when a value is read, for that value alone; the row
    /// stays as it is until the value is stored anew.
    public func upgrading(_ upgrade: @escaping @Sendable (Data, Int) throws -> Data) -> Codec {
        var codec = self
        codec.upgrade = upgrade
        return codec
    }

    /// Decodes what this codec has stored, in this version or another.
    func decode(_ data: Data, storedBy stored: CodecID) throws -> Value {
        guard let upgrade, stored.version < id.version else { return try decode(data) }
        return try decode(upgrade(data, stored.version))
    }
}

extension Codec where Value: Codable {
    /// JSON by Foundation's encoder and decoder; keys are sorted, so that equal values are equal bytes.
    public static var json: Codec { json() }

    /// JSON by Foundation's encoder and decoder; `version` is that of the app's model.
    public static func json(version: Int = 1) -> Codec {
        Codec(CodecID(name: "json", version: version)) { value in
            try JSONEncoder.ordered.encode(value)
        } decode: { data in
            try JSONDecoder().decode(Value.self, from: data)
        }
    }

    /// A binary property list. Slower and larger than JSON on Linux; for values that JSON cannot carry.
    public static var propertyList: Codec { propertyList() }

    public static func propertyList(version: Int = 1) -> Codec {
        Codec(CodecID(name: "plist", version: version)) { value in
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            return try encoder.encode(value)
        } decode: { data in
            try PropertyListDecoder().decode(Value.self, from: data)
        }
    }
}

extension Codec where Value: Decodable {
    /// Decodes the bytes of raw JSON answers. It never encodes: what is stored is what the server sent.
    public static func servedJSON(decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }) -> Codec {
        Codec(.served) { _ in
            throw CodecMisuse(explanation: "answers are stored as served, and never encoded")
        } decode: { data in
            try decoder().decode(Value.self, from: data)
        }
    }

    /// The same for a resource, where the app may know a value before the server says it (``Resource/store(_:)``).
    static var servedOrStoredJSON: Codec {
        Codec(.served) { value in
            guard let value = value as? any Encodable else {
                throw StorageError(
                    .other, "a value that cannot be encoded cannot be stored.",
                    nextStep: "Make its type Codable, or say that it has changed: invalidate(_:).")
            }
            return try JSONEncoder.ordered.encode(value)
        } decode: { data in
            try JSONDecoder().decode(Value.self, from: data)
        }
    }
}

extension JSONEncoder {
    /// In any other order than this one, what has not changed would look as if it had.
    fileprivate static var ordered: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}

extension Codec where Value == Data {
    /// Bytes as they are.
    public static var raw: Codec {
        Codec(CodecID(name: "raw")) {
            $0
        } decode: {
            $0
        }
    }

    /// The bytes of raw answers, as they are.
    public static var served: Codec {
        Codec(.served) {
            $0
        } decode: {
            $0
        }
    }
}

extension CodecID {
    /// Bytes exactly as a server sent them.
    static let served = CodecID(name: "served")

    /// How the names of codecs end whose values are for one client alone: they may hold its cookies, and go into no snapshot.
    package static let ownSuffix = ":own"
}

struct CodecMisuse: Error {
    let explanation: String
}
