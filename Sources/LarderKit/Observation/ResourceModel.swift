public import Observation

/// A resource for a view: its value, what the network does, and what went wrong, each where it can be shown.
///
/// It follows the resource while ``run(refresh:)`` runs, and no longer; ``refresh()`` brings it up to date at any time.
/// Nothing keeps it alive but those who hold it.
@MainActor @Observable public final class ResourceModel<Value: Sendable> {
    /// The value with all there is to know about it; `nil` when nothing is stored.
    public private(set) var reading: Reading<Value>?

    private var activity = Activity.idle
    private var readError: LarderError?
    private var callError: LarderError?
    private var calls = 0
    @ObservationIgnored private var frameNumber = 0
    @ObservationIgnored private let follower: ResourceFollower<Value>

    /// A model that shows what is stored, read on the caller's thread. What goes wrong is in ``error``.
    public init(_ resource: Resource<Value>) {
        follower = ResourceFollower(resource)
        take(follower.look())
    }

    /// Follows the resource until the task is cancelled, the larder closed, or the partition signed out of.
    ///
    /// - Parameter refresh: When to ask the server.
    public func run(refresh: RefreshPolicy = .whenStale) async {
        take(await follower.lookAside())
        let (watcher, isAsking) = follower.watch(refresh)
        if isAsking { activity = .loading }
        while let frame = await follower.next() { take(frame) }
        withExtendedLifetime(watcher) {}
    }

    /// Asks the server. What goes wrong is in ``error``; the value stays.
    ///
    /// - Returns: What came; `nil` when it went wrong.
    @discardableResult
    public func refresh() async -> Reading<Value>? {
        calls += 1
        defer { calls -= 1 }
        var fresh: Reading<Value>?
        do throws(LarderError) {
            fresh = try await follower.resource.read(.networkOnly)
            callError = nil
        } catch {
            callError = error.isOfTheCallAlone ? error : nil
        }
        take(await follower.lookAside())
        return fresh
    }

    // MARK: What a view shows

    public var value: Value? { reading?.value }

    /// Whether a request of this resource is under way, whoever asked.
    public var isLoading: Bool { activity == .loading || calls > 0 }

    /// Whether the value is older than it may be to be shown without asking again.
    public var isStale: Bool { reading?.isStale ?? true }

    /// What went wrong last, if it has not gone right since. The value stays.
    public var error: LarderError? {
        if let error = callError ?? readError { return error }
        return activity.failure.map { .fetch($0) }
    }

    /// Frames may overtake each other on their way here.
    private func take(_ frame: ResourceFollower<Value>.Frame) {
        guard frame.number > frameNumber else { return }
        frameNumber = frame.number
        reading = frame.reading
        activity = frame.activity
        readError = frame.error
    }
}
