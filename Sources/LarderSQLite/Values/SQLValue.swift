public import Foundation

/// A value as SQLite stores it (<https://www.sqlite.org/datatype3.html>).
public enum SQLValue: Sendable, Hashable, ExpressibleByNilLiteral {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)

    public init(nilLiteral: ()) {
        self = .null
    }
}

extension SQLValue: CustomDebugStringConvertible {
    /// An SQL literal of the value; of a blob only its size.
    public var debugDescription: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .text(let value): "'\(value.replacing("'", with: "''"))'"
        case .blob(let value): "<\(value.count) bytes>"
        }
    }
}

/// What can be bound to a parameter, by `\(value)` in an ``SQL`` or by the `bind` functions of ``Statement``; so can its optional.
///
/// Conform a type of your own (an identifier, a date with one agreed form) to bind it directly. There is no date
/// among the conforming types: SQLite has no such type, and a guess here would become a file format.
public protocol SQLValueConvertible {
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLValueConvertible {
    public var sqlValue: SQLValue { self }
}

extension Int64: SQLValueConvertible {
    public var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLValueConvertible {
    public var sqlValue: SQLValue { .integer(Int64(self)) }
}

/// Stored as 1 and 0.
extension Bool: SQLValueConvertible {
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

/// NaN is stored as NULL: SQLite has no NaN.
extension Double: SQLValueConvertible {
    public var sqlValue: SQLValue { .real(self) }
}

extension String: SQLValueConvertible {
    public var sqlValue: SQLValue { .text(self) }
}

extension Data: SQLValueConvertible {
    public var sqlValue: SQLValue { .blob(self) }
}

extension [UInt8]: SQLValueConvertible {
    public var sqlValue: SQLValue { .blob(Data(self)) }
}
