import Foundation
import LarderSQLite
import Synchronization

/// What all handles of one open cache share: the file, the stores, the flights, the feeds' states, and who follows what.
final class LarderCore: Sendable {
    /// The cache's folder, or `nil` in memory.
    let folder: URL?
    /// The folder goes with the core.
    private let isTemporary: Bool
    let database: Database
    let environment: LarderEnvironment
    let options: LarderOptions
    /// `nil` in memory.
    let room: RoomMaker?
    let sqliteStore: SQLiteStore
    let fileStore: any Store
    let memoryStore = MemoryStore()
    let tier = MemoryTier()
    let flights = Flights()
    let network: NetworkWatch
    let latencies = LatencyMemory()
    let meter: Meter
    let counters: CounterSaving
    let marks = AccessMarks()
    let keeper: BudgetKeeper
    let idleAlarm: IdleAlarm
    let partitions: Partitions
    let stamps = StampSource()
    let changes = ChangeHub()
    let processes: OtherProcesses
    let idleCheckpoint: IdleCheckpoint
    let refresher: Refresher
    let decodedFeeds = DecodedFeeds()
    let timelineMeter = TimelineMeter()
    /// One for each feed in use, for all its handles; those of some others are kept with them.
    private let feeds = Mutex<(states: [StoreKey: FeedState], limit: Int)>(([:], LarderCore.idleFeeds))
    /// How many feeds' states are kept, at least, when nobody uses them.
    static let idleFeeds = 256
    /// The stores of the app's own that were used, which signing out empties too.
    private let usedStores = Mutex<[String: any Store]>([:])
    let ownPuts = PutsUnderWay()
    let damage: DamageWatch
    private let hasClosed = Atomic(false)
    #if canImport(Darwin)
        private let pressure = Mutex<MemoryPressure?>(nil)
    #endif

    init(
        folder: URL?, isTemporary: Bool = false, options: LarderOptions = LarderOptions(),
        environment: LarderEnvironment
    ) throws(StorageError) {
        self.folder = folder
        self.options = options
        self.isTemporary = isTemporary
        self.environment = environment
        network = NetworkWatch(environment: environment)
        meter = Meter(log: environment.log)
        refresher = Refresher(environment: environment, network: network) { [changes] in changes.activity(of: $0) }
        keeper = BudgetKeeper(options.budget)
        idleAlarm = IdleAlarm(clock: environment.clock)
        counters = CounterSaving(meter: meter, clock: environment.clock, isSaving: folder != nil)
        let location: Location
        let blobs = folder.map { folder in
            BlobFolder(
                folder: folder.appendingPathComponent("blobs", isDirectory: true), disk: environment.disk,
                durability: options.durability)
        }
        var configuration = Configuration()
        if let folder, let blobs {
            try PrivateFiles.createFolder(folder, on: environment.disk)
            let reserve = Reserve(folder: folder, disk: environment.disk)
            let room = RoomMaker(reserve: reserve, blobs: blobs)
            configuration.makeRoom = { room.makeRoom(for: 0) }
            self.room = room
            let file = folder.appendingPathComponent("cache.sqlite").path
            PrivateFiles.restrict(file)
            location = .file(file)
            fileStore = FileStore(
                folder: folder.appendingPathComponent("files", isDirectory: true), disk: environment.disk,
                durability: options.durability, busyLimit: options.busyLimit)
        } else {
            room = nil
            location = .memory
            fileStore = MemoryStore()
        }
        configuration.vfs = environment.disk.vfs
        configuration.vacuumsIncrementally = true
        configuration.synchronous = options.durability == .powerLoss ? .full : .normal
        configuration.busyLimit = options.busyLimit
        let cache = folder.map { CacheFiles(folder: $0, disk: environment.disk) }
        let isUnclean = cache.map { ($0.size($0.log) ?? 0) > 0 } ?? false
        damage = DamageWatch(
            folder: options.damage == .repair ? folder : nil, environment: environment, changes: changes)
        configuration.onFailure = { [damage] error in damage.met(error) }
        let idleCheckpoint = IdleCheckpoint(clock: environment.clock)
        self.idleCheckpoint = idleCheckpoint
        configuration.onLog = { [meter] news in
            switch news {
            case .written(let bytes): idleCheckpoint.noteWrite(bytes)
            case .grows(let bytes): meter.note(.logGrows(bytes: bytes))
            }
        }
        configuration.onOpen = { db in try RowChecksum.register(on: db) }
        configuration.beforeSetup = { db in _ = try SchemaSetup.check(db, path: folder?.path) }
        let openDatabase = { [configuration, room, keeper] () throws(StorageError) -> Database in
            let database = try storing { try Database(location, configuration: configuration) }
            room?.serve(database)
            if try SchemaSetup.run(on: database, path: folder?.path) { keeper.noteEmpty() }
            return database
        }
        do throws(StorageError) {
            database = try OpeningRepair.open(cache, options, log: environment.log, openDatabase)
        } catch {
            // What SQLite keeps in memory that processes share needs a file, too.
            guard error.kind == .full, room?.makeRoom(for: 0) != nil else { throw error }
            database = try openDatabase()
        }
        sqliteStore = SQLiteStore(
            database: database, blobs: blobs, room: room, clock: environment.clock, marks: marks)
        partitions = Partitions(database: database)
        processes = OtherProcesses(folder: folder, database: database, changes: changes)
        idleCheckpoint.begin(database)
        changes.attention.set { [weak processes] in processes?.attend() }
        // Last: nothing is made beside what turns out to be no cache of this version.
        settleReserve()
        if isUnclean { damage.lookAfterUncleanEnd() }
        #if canImport(Darwin)
            let pressure = MemoryPressure { [weak self] in self?.releaseMemory() }
            self.pressure.withLock { $0 = pressure }
        #endif
    }

    /// Has a reserve for a full disk where the budget has room for one.
    func settleReserve() {
        if options.budget.hasRoomForReserve { room?.reserve.ensure() } else { _ = room?.reserve.release() }
    }

    func feedState(_ key: StoreKey) -> FeedState {
        feeds.withLock { feeds in
            if let state = feeds.states[key] { return state }
            if feeds.states.count >= feeds.limit {
                // What somebody uses outlives the dictionary it was in. The rest is a memory of what the file holds.
                let held = feeds.states.mapValues { WeakFeedState(state: $0) }
                feeds.states = [:]
                feeds.states = held.compactMapValues(\.state)
                feeds.limit = max(Self.idleFeeds, 2 * feeds.states.count)
            }
            let state = FeedState()
            feeds.states[key] = state
            return state
        }
    }

    private struct WeakFeedState {
        weak var state: FeedState?
    }

    /// How many feeds' states are kept now.
    var feedStateCount: Int { feeds.withLock { $0.states.count } }

    func codec(_ number: Int64) throws -> CodecID {
        if let codec = sqliteStore.codecs.codec(number) { return codec }
        return try storing { try database.withReader { db in try sqliteStore.codecs.codec(number, in: db) } }
    }

    var isClosed: Bool { hasClosed.load(ordering: .acquiring) }

    func close() {
        endSuspension()
        idleCheckpoint.close()
        if !hasClosed.exchange(true, ordering: .acquiringAndReleasing) { save() }
        tier.removeAll()
        damage.close()
        keeper.close()
        idleAlarm.close()
        refresher.close()
        processes.close()
        changes.close()
        network.close()
        meter.close()
        database.close()
    }

    /// Saves what has not been saved yet, right before the end.
    private func save() {
        counters.saveLast(to: database)
        saveLastMarks()
    }

    /// The store of a resource, as long as the larder is open.
    func store(_ storage: ResourceOptions.Storage) throws(StorageError) -> any Store {
        guard !isClosed else { throw .closed }
        return switch storage {
        case .database: sqliteStore
        case .files: fileStore
        case .memory: memoryStore
        case .store(let store): known(store, as: storage.identity)
        }
    }

    private func known(_ store: any Store, as identity: String) -> any Store {
        usedStores.withLock { $0[identity] = store }
        return store
    }

    var ownStores: [any Store] { usedStores.withLock { Array($0.values) } }

    /// All stores but the database.
    var otherStores: [any Store] { [fileStore, memoryStore] + ownStores }

    /// The same, as resources name them.
    var otherStorages: [ResourceOptions.Storage] { [.files, .memory] + ownStores.map { .store($0) } }

    func forgetFeedStates(in partition: String) {
        feeds.withLock { feeds in
            feeds.states = feeds.states.filter { !$0.key.partition.utf8.elementsEqual(partition.utf8) }
        }
    }

    deinit {
        // The database closes by itself, when the operations under way have ended.
        guard isTemporary, let folder else { return }
        // A repair would make anew what is removed here.
        damage.close()
        database.close()
        // What cannot be removed now is left to the system, which empties its temporary folder.
        try? FileManager.default.removeItem(at: folder)
    }
}
