/// One SQL statement and the values bound to it.
///
/// Written as a string literal whose interpolations are bound, never pasted, so that no value can change the meaning
/// of the statement:
///
/// ```swift
/// try connection.execute("UPDATE note SET title = \(title) WHERE id = \(id)")
/// ```
///
/// Table names and other text that cannot be a parameter come in by `\(raw:)`, and fragments by `\(_:)` of another
/// `SQL`. Each interpolation becomes one `?`; do not mix them with numbered or named parameters.
///
/// The text is built anew at each evaluation. Where microseconds count, use ``Connection/withStatement(_:_:)`` with a
/// constant text and bind by hand.
public struct SQL: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The text, with one `?` for each of ``arguments``.
    public private(set) var text: String
    public private(set) var arguments: [SQLValue]

    /// A statement whose text is trusted: it must not hold anything that came from outside.
    public init(raw text: String, arguments: [SQLValue] = []) {
        self.text = text
        self.arguments = arguments
    }

    public init(stringLiteral value: String) {
        self.init(raw: value)
    }

    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        var sql = SQL(raw: "")

        public init(literalCapacity: Int, interpolationCount: Int) {
            sql.text.reserveCapacity(literalCapacity + interpolationCount)
            sql.arguments.reserveCapacity(interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) {
            sql.text += literal
        }

        /// Binds `value`. Nil is NULL: compare with `IS`, since `= NULL` is never true.
        public mutating func appendInterpolation<Value: SQLValueConvertible>(_ value: Value?) {
            sql.text += "?"
            sql.arguments.append(value?.sqlValue ?? .null)
        }

        /// Pastes trusted text as it is.
        public mutating func appendInterpolation(raw text: String) {
            sql.text += text
        }

        /// Puts a fragment in, its values bound in their places.
        public mutating func appendInterpolation(_ fragment: SQL) {
            sql.text += fragment.text
            sql.arguments += fragment.arguments
        }
    }
}

extension SQL: CustomStringConvertible {
    /// The text without the bound values.
    public var description: String { text }
}
