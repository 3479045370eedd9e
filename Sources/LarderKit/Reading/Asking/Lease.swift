import Foundation
import LarderSQLite
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The right of this process to ask the server for one thing, kept in the cache file so that no other one asks meanwhile.
///
/// It ends with the request, with the process, and after a time in any case.
final class Lease: Sendable {
    let place: LeasePlace
    /// The stamp of the request.
    let stamp: Stamp
    private let isReleased = Atomic(false)

    init(place: LeasePlace, stamp: Stamp) {
        self.place = place
        self.stamp = stamp
    }

    /// Gives the lease back in the transaction that stores what came. ``settle()`` follows the commit.
    func release(in db: borrowing Connection) throws {
        try LeaseTable.release(place, stamp: stamp.order, in: db)
    }

    /// - Returns: Whether there was anything left to give back.
    @discardableResult
    func settle() -> Bool { !isReleased.exchange(true, ordering: .acquiringAndReleasing) }
}

/// What may be asked for by one process at a time.
enum LeasePlace: Sendable, Hashable {
    case resource(StoreKey)
    case feed(StoreKey)

    var key: StoreKey {
        switch self {
        case .resource(let key), .feed(let key): key
        }
    }

    var kind: String {
        switch self {
        case .resource: "resource"
        case .feed: "feed"
        }
    }
}

/// Who asks for what, of all processes on the cache.
enum LeaseTable {
    /// This process, told from an earlier one of the same number.
    private static let holder = "\(getpid()) \(UInt64.random(in: 0 ... .max))"
    /// No lease lasts longer, in milliseconds, whatever the clock says.
    private static let longest: Int64 = 600_000

    /// Takes a lease.
    ///
    /// - Parameters:
    ///   - expires: In milliseconds since 1970.
    /// - Returns: The stamp of another process's request that is under way, if there is one.
    static func take(
        _ place: LeasePlace, stamp: Int64, now: Int64, expires: Int64, in db: borrowing Connection
    ) throws -> Int64? {
        if let other = try underWay(place, now: now, in: db) { return other }
        let sql = """
            INSERT INTO larder_lease (partition, kind, name, holder, stamp, expires) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT DO UPDATE SET holder = excluded.holder, stamp = excluded.stamp, expires = excluded.expires
            """
        try db.withStatement(sql) { statement in
            try bind(place, to: statement)
            try statement.bind(holder, at: 4)
            try statement.bind(stamp, at: 5)
            try statement.bind(min(expires, now + longest), at: 6)
            try statement.run()
        }
        return nil
    }

    /// The stamp of a request that another process, still running, is making.
    static func underWay(_ place: LeasePlace, now: Int64, in db: borrowing Connection) throws -> Int64? {
        let sql = """
            SELECT holder, stamp, expires FROM larder_lease WHERE partition = ?1 AND kind = ?2 AND name = ?3
            """
        return try db.withStatement(sql) { statement in
            try bind(place, to: statement)
            guard try statement.step() else { return nil }
            let other = try statement.row.text(0)
            let expires = try statement.row.int64(2)
            // One that ends too far in the future was taken before the clock was set back.
            guard other != holder, expires > now, expires <= now + longest, isRunning(other) else { return nil }
            return try statement.row.int64(1)
        }
    }

    static func release(_ place: LeasePlace, stamp: Int64, in db: borrowing Connection) throws {
        let sql = """
            DELETE FROM larder_lease WHERE partition = ?1 AND kind = ?2 AND name = ?3 AND holder = ?4 AND stamp = ?5
            """
        try db.withStatement(sql) { statement in
            try bind(place, to: statement)
            try statement.bind(holder, at: 4)
            try statement.bind(stamp, at: 5)
            try statement.run()
        }
    }

    private static func bind(_ place: LeasePlace, to statement: borrowing Statement) throws {
        try statement.bind(place.key.partition, at: 1)
        try statement.bind(place.kind, at: 2)
        try statement.bind(place.key.key, at: 3)
    }

    /// Whether the process is there. One that may not be asked is (kill(2)).
    private static func isRunning(_ holder: String) -> Bool {
        guard let process = holder.split(separator: " ").first.flatMap({ pid_t($0) }), process > 0 else { return false }
        return kill(process, 0) == 0 || errno == EPERM
    }
}
