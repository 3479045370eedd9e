import Foundation
import LarderSQLite

extension LarderCore {
    /// What is known of the network for a read that is explained.
    func network(
        of origin: String, named name: String?, _ facts: NetworkFacts, _ place: LeasePlace, isShared: Bool,
        kind: (String) -> Bool
    ) -> Explanation.Network {
        Explanation.Network(
            connectivity: network.current, origin: name, standing: Explanation.Standing(facts.standing),
            underWay: underWay(place, isShared: isShared, kind: kind))
    }

    private func underWay(_ place: LeasePlace, isShared: Bool, kind: (String) -> Bool) -> Explanation.UnderWay {
        if flights.isUnderWay(place.key, kind: kind) { return .thisProcess }
        guard isShared, folder != nil else { return .nobody }
        let now = environment.clock.now().millisecondsSince1970
        do {
            let other = try database.withReader { db in try LeaseTable.underWay(place, now: now, in: db) }
            return other == nil ? .nobody : .anotherProcess
        } catch {
            return .unknown
        }
    }

    /// The tags that something bears: those it is declared with, and those it was stored under.
    func tags(_ declared: [String], of key: StoreKey) -> [String] {
        let stored = try? database.withReader { db in try TagTable.tags(of: key.key, in: key.partition, db) }
        return Set(declared + (stored ?? [])).sorted()
    }
}

extension TagTable {
    static func tags(of name: String, in partition: String, _ db: borrowing Connection) throws -> [String] {
        try db.withStatement("SELECT tag FROM larder_tag WHERE partition = ?1 AND name = ?2") { statement in
            try statement.bind(partition, at: 1)
            try statement.bind(name, at: 2)
            return try statement.collect { row in try row.text(0) }
        }
    }
}

extension Validators {
    /// The header fields, without their values.
    var names: [String] {
        [etag.map { _ in "ETag" }, lastModified.map { _ in "Last-Modified" }].compactMap { $0 }
    }
}
