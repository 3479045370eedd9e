import LarderSQLite

/// An error of an app's own closure that says nothing of the cache, though it would if it were one of Larder's statements: a
/// column read as what it is not, a value too large for a row, the word of another cache.
struct AppError: Error {
    let error: any Error

    /// Runs an app's closure on the cache file. That the file itself is damaged is noticed there as anywhere.
    static func marking<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SQLiteError where [.mismatch, .tooBig].contains(error.code.primary)
        {
            throw AppError(error: error)
        } catch let error as StorageError {
            throw AppError(error: error)
        }
    }

    /// The error as the app has thrown it.
    static func original(of error: any Error) -> any Error { (error as? AppError)?.error ?? error }
}
