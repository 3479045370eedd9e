package import LarderKit

/// A request as it came over the wire. What is not asked for is not made: its parts lie in its bytes until then.
///
/// Texts have one character a byte (ISO 8859-1).
package struct FrontRequest: Sendable {
    let head: RequestHead
    /// The client's address, without the port.
    package let peer: String

    /// Whether it can be answered by the plainest means: a GET without a body and without any of ``RequestTraits`` but a
    /// cookie.
    package var isPlainGet: Bool {
        head.traits.isSubset(of: .cookie) && head.framing == .none
            && KnownField.isExactly(head.bytes[head.method], "GET")
    }

    package var traits: RequestTraits { head.traits }
    package var framing: BodyFraming { head.framing }
    package var form: TargetForm { head.form }
    /// 1 for HTTP/1.1, 0 for HTTP/1.0.
    package var minorVersion: Int { head.minorVersion }
    /// Whether an absolute target says `https`.
    package var isSecure: Bool { head.isSecure }

    package var method: String { Latin1.text(head.bytes[head.method]) }
    /// As written.
    package var target: String { Latin1.text(head.bytes[head.target]) }
    /// Path and query, beginning with a slash; `*` where the target is that.
    package var path: String {
        let path = Latin1.text(head.bytes[head.path])
        return path.isEmpty || path.hasPrefix("?") ? "/" + path : path
    }
    /// Whom it is for: the authority of an absolute target, which counts for more than Host (RFC 9112 section 3.2.2), else
    /// Host. Empty where an HTTP/1.0 client gave neither.
    package var authority: String { Latin1.text(head.bytes[head.authority]) }

    /// All fields in their order, made anew at each call.
    package var headers: HeaderFields {
        HeaderFields(
            head.fields.map {
                HeaderFields.Field(name: Latin1.text(head.name($0)), value: Latin1.text(head.value($0)))
            })
    }

    /// The values under `name`, in order, without making any other.
    ///
    /// - Parameter name: In lower case.
    package func values(of name: StaticString) -> [String] {
        head.fields.filter { field in
            head.name(field).withUnsafeBytes { KnownField.matches($0, name) }
        }.map { Latin1.text(head.value($0)) }
    }

    /// What its answer may be found under.
    package var key: FrontKey { FrontKey(bytes: head.bytes, authority: head.authority, path: head.path) }
}

extension KnownField {
    static func isExactly(_ bytes: ArraySlice<UInt8>, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in bytes.elementsEqual(expected) }
    }
}
