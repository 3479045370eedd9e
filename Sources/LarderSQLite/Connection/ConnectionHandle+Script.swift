import CSQLite

extension ConnectionHandle {
    func executeScript(_ script: String) throws(SQLiteError) {
        var text = script
        var failure: SQLiteError?
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard var next = characters.baseAddress else { return }
                let end = next + characters.count
                do throws(SQLiteError) {
                    while next < end { next = try executeFirst(of: next, end: end) }
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
    }

    /// Runs the first statement of a text and returns where the next begins.
    private func executeFirst(
        of text: UnsafePointer<CChar>, end: UnsafePointer<CChar>
    ) throws(SQLiteError) -> UnsafePointer<CChar> {
        var pointer: OpaquePointer?
        var tail: UnsafePointer<CChar>?
        let result = sqlite3_prepare_v2(database, text, Int32(clamping: end - text), &pointer, &tail)
        let next = tail ?? end
        defer { sqlite3_finalize(pointer) }
        guard result == SQLITE_OK else {
            let rest = String(decoding: UnsafeRawBufferPointer(start: text, count: end - text), as: UTF8.self)
            throw SQLiteError(lastErrorOf: database, result: result, .prepare, sql: rest)
        }
        // Blanks and comments give no statement. A NUL ends the text for SQLite, which would not move on from it.
        guard let pointer else { return next > text ? next : end }
        guard !isReading || sqlite3_stmt_readonly(pointer) != 0 else {
            throw SQLiteError(.readOnly, .prepare, "a statement that writes inside a read")
        }
        let statement = Statement(pointer, on: self)
        while try statement.step() {}
        return next
    }
}
