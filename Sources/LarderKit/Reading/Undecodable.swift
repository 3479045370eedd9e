/// An item whose bytes are stored and do not decode.
public struct UndecodableItem: Error, Sendable {
    public let id: ItemID
    public let error: any Error
}

/// A stored value that cannot be decoded. Never the same as a value that is not stored.
public struct UndecodableValue: Error, Sendable {
    public let key: String
    /// The codec the row names, and the one that was to read it.
    public let stored: CodecID
    public let wanted: CodecID
    public let underlying: (any Error)?

    init(key: String, stored: CodecID, wanted: CodecID, underlying: (any Error)? = nil) {
        self.key = key
        self.stored = stored
        self.wanted = wanted
        self.underlying = underlying
    }
}

// Printed, both tell nothing private: keys are often URLs with tokens in them, and the error of a decoder quotes what it
// was given. Whoever wants those asks for the properties.

extension UndecodableItem: CustomStringConvertible, CustomReflectable {
    public var description: String { "an item that is stored does not decode (\(type(of: error)))" }

    public var customMirror: Mirror {
        Mirror(self, children: ["error": "\(type(of: error))"], displayStyle: .struct)
    }
}

extension UndecodableValue: CustomStringConvertible, CustomReflectable {
    public var description: String {
        guard stored.name == wanted.name else {
            return "the stored value is in codec \(stored), and \(wanted) was to read it"
        }
        return "the value stored by codec \(stored) does not decode by \(wanted)"
    }

    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "stored": stored, "wanted": wanted, "underlying": underlying.map { "\(type(of: $0))" } as Any,
            ], displayStyle: .struct)
    }
}
