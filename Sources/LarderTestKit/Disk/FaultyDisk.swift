/// A disk that fails when it is told to, counts what is asked of it, and can write down what is done to it.
///
/// All goes to the system's own disk but for the operations that are to fail.
///
/// ```swift
/// let disk = FaultyDisk()
/// var configuration = Configuration()
/// configuration.vfs = disk.vfs
/// let database = try Database(.file(path), configuration: configuration)
/// disk.fail(3, of: [.write, .sync], with: .full, .fromThenOn)
/// ```
///
/// A loop that fails the first operation, the second, and so on until nothing is left to fail, shows what becomes of a
/// program whatever its disk does:
///
/// ```swift
/// for number in 1... {
///     disk.fail(number, of: DiskOperation.changing)
///     try? await save()
///     disk.heal()
///     check()
///     if disk.faultCount == 0 { break }
///     disk.reset()
/// }
/// ```
///
/// May be used from any thread. It lasts as long as something is open through it.
public final class FaultyDisk: Sendable {
    let core = DiskCore()
    private let shim: FaultyVFS

    public init() {
        shim = FaultyVFS.take(for: core)
    }

    deinit {
        shim.release()
    }

    /// The name under which SQLite knows this disk: the VFS to open a database with.
    public var vfs: String? { shim.name }

    // MARK: Failing

    /// Lets an operation fail. Replaces what was said before.
    ///
    /// - Parameters:
    ///   - number: Which one, counted from now on and from 1, of those that can go wrong in this way.
    ///   - operations: Which kinds count.
    ///   - fault: How it fails.
    ///   - failing: Whether those after it fail as well.
    public func fail(
        _ number: Int = 1, of operations: Set<DiskOperation> = DiskOperation.changing, with fault: DiskFault = .ioError,
        _ failing: DiskFailing = .once
    ) {
        core.plan(DiskCore.Plan(number: max(1, number), operations: operations, fault: fault, failing: failing))
    }

    /// Lets everything succeed from now on. What was counted stays.
    public func heal() { core.plan(nil) }

    /// Lets everything succeed from now on, and counts from zero.
    public func reset() { core.reset() }

    // MARK: Counting

    /// How often each kind of operation was asked for, those that failed included.
    public var counts: [DiskOperation: Int] { core.counts }

    /// How many operations of these kinds were asked for.
    public func count(of operations: Set<DiskOperation> = DiskOperation.all) -> Int {
        core.counts.reduce(0) { operations.contains($1.key) ? $0 + $1.value : $0 }
    }

    /// How many were made to fail.
    public var faultCount: Int { core.faultCount }
}
