public import LarderKit

/// What every `Store` promises, as checks for any form of one: Larder's three are held to it, and so can be one of
/// your own.
///
/// ```swift
/// @Test(arguments: StoreContract.rules)
/// func myStoreKeeps(_ rule: StoreContract.Rule) async throws {
///     try await rule.check { MyStore() }
/// }
/// ```
///
/// Depends on no test library. All checks together take a few seconds, and keep some 10 MB in the store.
public enum StoreContract {
    /// A promise that a store has broken.
    public struct Violation: Error, Sendable, Hashable, CustomStringConvertible {
        /// The name of the rule.
        public let rule: String
        public let explanation: String

        public var description: String { "\(rule): \(explanation)" }
    }

    /// One promise.
    public struct Rule: Sendable, CustomStringConvertible {
        /// The promise, in a sentence.
        public let name: String
        let body: @Sendable (Subject) async throws -> Void

        public var description: String { name }
    }

    /// All promises.
    public static let rules: [Rule] = keyRules + valueRules + orderRules + removalRules + concurrencyRules

    /// Checks every rule, each with a store of its own.
    ///
    /// - Parameters:
    ///   - make: Makes a store that is empty and independent of all others.
    ///   - reopen: Makes a new store on what the given one has stored; leave it out for a store that forgets.
    /// - Throws: ``Violation`` for the first rule that is broken; and what `make` and `reopen` throw.
    public static func check(
        _ make: @escaping @Sendable () async throws -> any Store,
        reopen: (@Sendable (any Store) async throws -> any Store)? = nil
    ) async throws {
        for rule in rules { try await rule.check(make, reopen: reopen) }
    }
}

extension StoreContract.Rule {
    /// Checks this rule alone; see ``StoreContract/check(_:reopen:)``.
    public func check(
        _ make: @escaping @Sendable () async throws -> any Store,
        reopen: (@Sendable (any Store) async throws -> any Store)? = nil
    ) async throws {
        let subject = StoreContract.Subject(store: try await make(), reopen: reopen)
        do {
            try await body(subject)
        } catch let objection as StoreContract.Objection {
            throw StoreContract.Violation(rule: name, explanation: objection.text)
        } catch let error as StorageError {
            throw StoreContract.Violation(rule: name, explanation: "the store threw \(error.kind): \(error)")
        }
    }
}

extension StoreContract {
    /// The store under test, and a way to see what a later run of the program would.
    struct Subject: Sendable {
        let store: any Store
        let reopen: (@Sendable (any Store) async throws -> any Store)?

        /// The store, and where it lasts also what was made anew on its contents.
        func stores() async throws -> [any Store] {
            guard let reopen else { return [store] }
            return [store, try await reopen(store)]
        }
    }

    /// What is wrong, before the rule's name is put to it.
    struct Objection: Error {
        let text: String
    }

    static func require(_ isTrue: Bool, _ text: @autoclosure () -> String) throws(Objection) {
        guard isTrue else { throw Objection(text: text()) }
    }

    /// Requires that the store holds exactly `entry` under `key`.
    static func require(_ store: any Store, holds entry: StoredEntry?, for key: StoreKey) throws {
        let found = try store.entry(for: key)
        let isSame = found?.body == entry?.body && found?.metadata.rounded == entry?.metadata.rounded
        guard !isSame else { return }
        throw Objection(text: "\(brief(key)) holds \(brief(found)), not \(brief(entry))")
    }

    static func brief(_ key: StoreKey) -> String {
        let text = key.key.debugDescription
        let shown = text.count > 60 ? "\(text.prefix(60))… (\(key.key.utf8.count) bytes)" : text
        return key.partition.isEmpty ? shown : "\(shown) of partition \(key.partition.debugDescription.prefix(60))"
    }

    private static func brief(_ entry: StoredEntry?) -> String {
        entry.map { "\($0.body.count) bytes with \($0.metadata)" } ?? "nothing"
    }
}
