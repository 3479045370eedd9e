import Foundation
import LarderKit
import LarderSQLite

@testable import LarderKit

/// The three forms of a store.
enum StoreForm: String, CaseIterable, Sendable {
    case memory, file, sqlite

    /// A store on what is in `folder`.
    func open(in folder: TestFolder) throws -> any Store {
        switch self {
        case .memory:
            return MemoryStore()
        case .file:
            return FileStore(folder: folder.url.appendingPathComponent("files", isDirectory: true))
        case .sqlite:
            let database = try Database(.file(folder.url("cache.sqlite").path))
            try SchemaSetup.run(on: database, path: folder.url.path)
            return SQLiteStore(database: database)
        }
    }

    var isLasting: Bool { self != .memory }
}
