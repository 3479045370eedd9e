/// An option of a command. It is declared once, and the parsed value is read with the declaration itself.
struct Option: Sendable, Hashable {
    enum Arity: Sendable, Hashable {
        /// Given or not.
        case flag
        /// With a value, at most once.
        case value
        /// With a value, any number of times.
        case repeated
    }

    /// Without the hyphens.
    let name: String
    let short: Character?
    let arity: Arity
    /// What stands for the value in the help; empty for a flag.
    let placeholder: String
    /// One line.
    let help: String
    /// What happens without the option, as the help tells it.
    let fallback: String?

    /// `--name`
    static func flag(_ name: String, short: Character? = nil, help: String) -> Option {
        Option(name: name, short: short, arity: .flag, placeholder: "", help: help, fallback: nil)
    }

    /// `--name VALUE` or `--name=VALUE`
    static func value(
        _ name: String, _ placeholder: String, short: Character? = nil, help: String, default fallback: String? = nil
    ) -> Option {
        Option(
            name: name, short: short, arity: .value, placeholder: placeholder, help: help, fallback: fallback)
    }

    /// `--name VALUE`, as often as wanted.
    static func repeated(_ name: String, _ placeholder: String, short: Character? = nil, help: String) -> Option {
        Option(name: name, short: short, arity: .repeated, placeholder: placeholder, help: help, fallback: nil)
    }

    /// As the user writes it.
    var spelling: String { "--" + name }
}

/// An argument that is told by its place.
struct Positional: Sendable, Hashable {
    enum Arity: Sendable, Hashable {
        case required
        case optional
        /// One or more; only the last positional may be.
        case oneOrMore
        /// Any number; only the last positional may be.
        case any
    }

    /// As the help shows it: `URL`.
    let name: String
    let help: String
    let arity: Arity

    init(_ name: String, help: String, _ arity: Arity = .required) {
        self.name = name
        self.help = help
        self.arity = arity
    }

    var synopsis: String {
        switch arity {
        case .required: name
        case .optional: "[\(name)]"
        case .oneOrMore: "\(name)..."
        case .any: "[\(name)]..."
        }
    }
}
