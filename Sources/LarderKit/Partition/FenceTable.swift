import LarderSQLite

/// What the app has said to have changed, for as long as an answer may arrive that was asked for before.
struct FenceTable {
    let partition: String

    /// No request lasts longer than this, in the units of a stamp's order (microseconds).
    private static let memory: Int64 = 24 * 3600 * 1_000_000

    func insert(_ selection: Selection, stamp: Int64, in db: borrowing Connection) throws {
        try db.withStatement("DELETE FROM larder_fence WHERE partition = ?1 AND stamp < ?2") { statement in
            try statement.bind(partition, at: 1)
            try statement.bind(stamp - Self.memory, at: 2)
            try statement.run()
        }
        let sql = """
            INSERT INTO larder_fence (partition, kind, name, stamp) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (partition, kind, name) DO UPDATE SET stamp = max(stamp, excluded.stamp)
            """
        try db.withStatement(sql) { statement in
            try statement.bind(partition, at: 1)
            try statement.bind(selection.kind.rawValue, at: 2)
            try statement.bind(selection.name, at: 3)
            try statement.bind(stamp, at: 4)
            try statement.run()
        }
    }

    /// What was said of an answer that it would have to come after.
    func verdict(on answer: Admission, in db: borrowing Connection) throws -> Admission.Verdict {
        let sql = "SELECT kind, name FROM larder_fence WHERE partition = ?1 AND stamp > ?2"
        return try db.withStatement(sql) { statement in
            try statement.bind(partition, at: 1)
            try statement.bind(answer.stamp, at: 2)
            var verdict = Admission.Verdict.admitted
            while try statement.step() {
                // What this version does not know counts: asking once more is the lesser harm.
                guard let kind = Selection.Kind(rawValue: try statement.row.text(0)) else { return .outdated }
                if answer.isOfApp, kind != .place { continue }
                let selection = Selection(kind: kind, name: try statement.row.text(1))
                guard selection.contains(answer.name, tags: answer.tags, storage: answer.storage) else { continue }
                if kind == .place { return .removed }
                verdict = .outdated
            }
            return verdict
        }
    }

    /// Whether a value of a place was removed later than `stamp`.
    func hasRemoved(_ place: Selection, after stamp: Int64, in db: borrowing Connection) throws -> Bool {
        let sql = "SELECT 1 FROM larder_fence WHERE partition = ?1 AND kind = ?2 AND name = ?3 AND stamp > ?4"
        return try db.withStatement(sql) { statement in
            try statement.bind(partition, at: 1)
            try statement.bind(place.kind.rawValue, at: 2)
            try statement.bind(place.name, at: 3)
            try statement.bind(stamp, at: 4)
            return try statement.step()
        }
    }

    /// The order of the latest word, so that whoever asks from now on is later.
    func latest(in db: borrowing Connection) throws -> Int64 {
        try db.withStatement("SELECT max(stamp) FROM larder_fence WHERE partition = ?1") { statement in
            try statement.bind(partition, at: 1)
            return try statement.step() ? try statement.row.optionalInt64(0) ?? 0 : 0
        }
    }
}
