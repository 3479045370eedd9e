public import Foundation
public import LarderSQLite

/// One open cache: what the network delivered last, kept on the device.
///
/// ```swift
/// let larder = try Larder()
/// let prices = larder.common.resource("prices") { try await api.prices() }
/// let reading = try await prices.read()
/// ```
///
/// A handle is a cheap value. Opening one folder twice in a process gives two handles of one cache, and several processes
/// may have one folder open. Opening takes a few milliseconds, whatever the cache holds.
public struct Larder: Sendable {
    let core: LarderCore

    /// Opens the cache at `location`, making it when there is none.
    ///
    /// - Parameters:
    ///   - location: Where it lies.
    ///   - options: How much is kept, and what a write survives. Of a cache that this process has open already, those it was
    ///     opened with hold.
    ///   - environment: Time, network and disk; for tests.
    /// - Throws: ``StorageError`` when the folder cannot be used: it names the cause and the next step. Whatever is there
    ///   stays untouched.
    public init(
        _ location: Location = .standard, options: LarderOptions = LarderOptions(),
        environment: LarderEnvironment = .live
    ) throws(StorageError) {
        core = try CoreRegistry.shared.core(
            at: location.folder(), isTemporary: location == .temporary, options: options, environment: environment)
    }

    private init(core: LarderCore) {
        self.core = core
    }

    /// A cache in memory, gone with its last handle: for tests, and for an app that must start although its folder cannot be
    /// used. Traps only where a new process could not start either, when memory has run out.
    public static func inMemory(environment: LarderEnvironment = .live) -> Larder {
        do {
            return Larder(core: try LarderCore(folder: nil, environment: environment))
        } catch {
            preconditionFailure("a cache in memory could not be made: \(error)")
        }
    }

    /// The folder of the cache, or `nil` in memory.
    public var folder: URL? { core.folder }

    /// What belongs to nobody in particular.
    public var common: Partition { Partition(core: core, name: "") }

    /// What belongs to one account. Nothing of it is seen in another partition.
    public func partition(_ name: String) -> Partition {
        Partition(core: core, name: name)
    }

    /// Runs SQL on the cache file in one snapshot, on the caller's thread.
    ///
    /// The view `larder_item` (partition, feed, id, body, stored_at in seconds since 1970) is stable; the tables behind it
    /// are not. This level sees all partitions.
    ///
    /// Do not use resources and feeds inside: they take a connection of their own, which sees another moment and, for a
    /// cache in memory, is the one lent here, so that they throw.
    public func read<R>(_ body: (borrowing Connection) throws -> R) throws -> R {
        do {
            return try core.database.read { db in try AppError.marking { try body(db) } }
        } catch {
            throw AppError.original(of: error)
        }
    }

    /// Runs SQL on the cache file in one transaction, on the writer's thread: committed on return, rolled back on throw.
    ///
    /// Tables of one's own are welcome, under names that do not begin with `larder_`. They share the fate of the file,
    /// which is disposable.
    ///
    /// `body` runs a second time, with what it wrote undone, where the disk was full and room could be made: it has no other
    /// effects.
    ///
    /// Do not use resources and feeds inside: they do not see what is not committed yet, and those of a cache in memory
    /// throw.
    public func write<R: Sendable>(_ body: @escaping @Sendable (borrowing Connection) throws -> R) async throws -> R {
        do {
            return try await core.database.write { db in try AppError.marking { try body(db) } }
        } catch {
            throw AppError.original(of: error)
        }
    }

    /// Waits until nothing is being fetched in the background any more: for a program that is about to end, since what a
    /// read left to itself (``ReadPolicy/staleWhileRevalidate``, patience that ran out) would end with it.
    package func settle() async {
        await core.flights.settle()
        await core.keeper.settle()
        await core.damage.settle()
        await core.counters.save(to: core.database)
    }

    /// How many readers wait for an answer now: lets a test see that all of them have joined one flight.
    package var waitingReaders: Int { core.flights.waiterCount }

    /// Closes the file for every handle of it; later calls throw. Not needed before the process ends.
    public func close() {
        // Forgotten first, so that nobody opens the folder into a core that is being closed.
        CoreRegistry.shared.forget(core)
        core.close()
    }
}

extension Larder {
    /// Where a cache lies.
    public enum Location: Sendable, Hashable {
        /// The program's own folder: in Application Support on Apple's systems, excluded from backup (on tvOS in Caches,
        /// the only place to write to, which the system empties when it needs room); under `$XDG_CACHE_HOME` (or
        /// `~/.cache`) on Linux.
        case standard
        /// A folder of one's own; created when missing.
        case folder(URL)
        /// A new folder under the system's temporary one, removed with the last handle of it.
        case temporary
        #if canImport(Darwin)
            /// A folder that an app shares with its extensions and widgets, by the name of their app group: excluded from backup,
            /// readable from the first time that the device is unlocked. See ``Larder/suspend()``.
            case appGroup(String)
        #endif
    }
}
