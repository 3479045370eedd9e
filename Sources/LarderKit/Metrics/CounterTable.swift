import LarderSQLite

/// What all processes on a cache have counted, in its file.
enum CounterTable {
    /// The names of failures begin with this.
    private static let failure = "failure "

    static func add(_ metrics: Metrics, in db: borrowing Connection) throws {
        guard !metrics.isEmpty else { return }
        // A sum beyond what an integer holds would become another type, and is left as it was.
        let sql = """
            INSERT INTO larder_counter (name, value) VALUES (?1, ?2)
            ON CONFLICT (name) DO UPDATE SET value =
                CASE typeof(value + excluded.value) WHEN 'integer' THEN value + excluded.value ELSE value END
            """
        try db.withStatement(sql) { statement in
            for (name, count) in named(metrics) {
                try statement.bind(name, at: 1)
                try statement.bind(count, at: 2)
                try statement.run()
                statement.reset()
            }
        }
    }

    /// Rows that are damaged, or of a later version, count as nothing.
    static func totals(in db: borrowing Connection) throws -> Metrics {
        let paths = Dictionary(uniqueKeysWithValues: Metrics.counters.map { ($0.name, $0.path) })
        var metrics = Metrics()
        try db.withStatement("SELECT name, value FROM larder_counter") { statement in
            while try statement.step() {
                guard let name = try statement.row.readableText(0),
                    let count = try statement.row.readableInt64(1).flatMap({ Int(exactly: $0) }), count > 0
                else { continue }
                if let path = paths[name] {
                    metrics[keyPath: path] = count
                } else if name.hasPrefix(failure) {
                    metrics.failures[String(name.dropFirst(failure.count))] = count
                }
            }
        }
        return metrics
    }

    /// The counters that are not zero.
    private static func named(_ metrics: Metrics) -> [(name: String, count: Int)] {
        let counters = Metrics.counters.map { ($0.name, metrics[keyPath: $0.path]) }
        return (counters + metrics.failures.map { (failure + $0.key, $0.value) }).filter { $0.1 != 0 }
    }
}
