import LarderKit

/// What is always the same for one key, whoever signs in: where it is kept, in which form it comes, which host has it.
struct KeySpec: Sendable {
    enum Home: String, Sendable, CaseIterable {
        case database
        case files
        case memory
        case own
    }

    enum Form: String, Sendable, CaseIterable {
        /// A value from a closure that is told nothing.
        case plain
        /// A value from a closure that is told the validators.
        case typed
        /// A raw answer that is decoded.
        case raw
        /// The bytes themselves.
        case bytes
    }

    let key: String
    let home: Home
    let form: Form
    let host: String?
    /// Its closures read the token first.
    var needsToken = false
    /// Its closures read the very same thing now and then, which is a mistake.
    var readsItself = false
    /// The server says now and then that there is no such thing (any more).
    var mayBeGone = false
    /// Another place has the same home under the same key, in another form, so each finds what the other has stored.
    var isContested = false

    /// Whether what is shown of it has to be later than what was shown. A server's word that it is gone ends that at a
    /// moment nobody sees.
    var isOrdered: Bool { !mayBeGone && !isContested }

    static let token = KeySpec(key: "token", home: .database, form: .plain, host: nil)

    /// The token and so many keys, some of them in two places.
    static func all(_ count: Int) -> [KeySpec] {
        [token] + (0..<count).flatMap { twins($0) }
    }

    private static func twins(_ index: Int) -> [KeySpec] {
        let homes: [Home] = [.database, .database, .files, .memory, .own]
        let forms = Form.allCases
        var spec = KeySpec(
            key: "key/\(index)", home: homes[index % homes.count], form: forms[index / homes.count % forms.count],
            host: index % 3 == 0 ? "host \(index % 2)" : nil)
        spec.needsToken = index % 7 == 3
        spec.readsItself = index % 11 == 5
        spec.mayBeGone = index % 10 == 9
        switch index % 10 {
        case 4:
            let other = KeySpec(key: spec.key, home: .files, form: .typed, host: nil)
            return [spec, other]
        case 6:
            spec.isContested = true
            var other = KeySpec(key: spec.key, home: spec.home, form: spec.form == .bytes ? .typed : .bytes, host: nil)
            other.isContested = true
            return [spec, other]
        default:
            return [spec]
        }
    }
}
