/// The header fields of an answer, in the order they came, with repeats. Names compare without regard to case
/// (RFC 9110 section 5.1).
public struct HeaderFields: Sendable, Hashable {
    public struct Field: Sendable, Hashable {
        public let name: String
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public private(set) var fields: [Field]

    public init(_ fields: [Field] = []) {
        self.fields = fields
    }

    public mutating func append(name: String, value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// All values under `name`, in order.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.caseInsensitivelyEqualsASCII(name) }.map(\.value)
    }

    /// The values under `name` as one list (RFC 9110 section 5.3), or `nil` when there is none.
    public subscript(name: String) -> String? {
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field(name: $0.0, value: $0.1) })
    }
}

extension String {
    func caseInsensitivelyEqualsASCII(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && utf8.lazy.map(\.asciiLowercased).elementsEqual(other.utf8.lazy.map(\.asciiLowercased))
    }
}

extension UInt8 {
    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
