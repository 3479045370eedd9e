import LarderSQLite
import Testing

@Suite(.timeLimit(.minutes(5))) struct Concurrency {
    @Test(arguments: [false, true])
    func readersNeverSeeHalfATransfer(inMemory: Bool) async throws {
        let scratch = try Scratch()
        let database = try Database(inMemory ? .memory : .file(scratch.path()))
        try await database.write { connection in
            try connection.executeScript(
                """
                CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);
                INSERT INTO account VALUES (0, 1000), (1, 1000), (2, 1000), (3, 1000);
                """)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    for _ in 0..<50 {
                        try await database.write { connection in
                            try connection.execute("UPDATE account SET balance = balance - 1 WHERE id = \(writer)")
                            try connection.execute(
                                "UPDATE account SET balance = balance + 1 WHERE id = \((writer + 1) % 4)")
                        }
                    }
                }
            }
            for reader in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        let sum: @Sendable (borrowing Connection) throws -> Int = { connection in
                            try connection.query("SELECT balance FROM account") { try $0.int(0) }.reduce(0, +)
                        }
                        let total = reader.isMultiple(of: 2) ? try database.read(sum) : try await database.scan(sum)
                        #expect(total == 4000)
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
        let balances = try database.read { try $0.query("SELECT balance FROM account") { try $0.int(0) } }
        #expect(balances == [1000, 1000, 1000, 1000])
    }

    @Test func nothingIsLostWhenManyTasksAreCancelled() async throws {
        let scratch = try Scratch()
        let database = try notes(.file(scratch.path()))
        var kept: [String] = []
        await withTaskGroup(of: String?.self) { group in
            for number in 0..<200 {
                group.addTask {
                    do {
                        let title = "\(number)"
                        try await database.write { try $0.execute("INSERT INTO note (title) VALUES (\(title))") }
                        return title
                    } catch {
                        #expect(error is CancellationError)
                        return nil
                    }
                }
            }
            for await title in group {
                if let title { kept.append(title) }
                if kept.count == 50 { group.cancelAll() }
            }
        }
        // What was answered is stored, and what was answered with a cancellation is not.
        #expect(try database.titles().sorted() == kept.sorted())
    }
}
