import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Which cache each protocol class serves. A class keeps its partition for ever: a session that outlives a sign-out finds nothing
/// in its place, and never another account.
final class ProtocolSlots: Sendable {
    struct Slot: Sendable {
        let number: Int
        let client: CachingClient
        fileprivate let storage: AnswerStorage
        fileprivate let traits: SlotTraits

        var cache: HTTPCache { client.cache }
        var protocolClass: LarderURLProtocol.Type { slotNumber(number).protocolClass }
    }

    private struct State {
        var slots: [Int: Slot] = [:]
        var last = 0
    }

    static let shared = ProtocolSlots()
    private let state = Mutex(State())

    /// The slot of a class, as long as there is something to serve from.
    func slot(_ number: Int) -> Slot? {
        state.withLock { state in
            guard let slot = state.slots[number] else { return nil }
            guard !slot.storage.isOver else {
                state.slots[number] = nil
                return nil
            }
            return slot
        }
    }

    func slot(
        for partition: Partition, _ options: HTTPCache.Options, _ configuration: URLSessionConfiguration
    ) -> Slot {
        let storage = AnswerStorage(partition)
        let traits = SlotTraits(options, configuration)
        return state.withLock { state in
            state.slots = state.slots.filter { !$0.value.storage.isOver }
            if let slot = state.slots.values.first(where: { $0.storage.isSame(as: storage) && $0.traits == traits }) {
                return slot
            }
            state.last += 1
            let client = CachingClient(partition, session: configuration, options: options)
            let slot = Slot(number: state.last, client: client, storage: storage, traits: traits)
            state.slots[slot.number] = slot
            return slot
        }
    }
}

/// What two installations have in common that may share a cache and its connections.
private struct SlotTraits: Sendable, Equatable {
    private let texts: [String]

    init(_ options: HTTPCache.Options, _ configuration: URLSessionConfiguration) {
        func place(_ object: AnyObject?) -> String { object.map { "\(ObjectIdentifier($0))" } ?? "" }
        func pairs(_ dictionary: [AnyHashable: Any]?) -> String {
            (dictionary ?? [:]).map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "\n")
        }
        texts = [
            "\(options.kind) \(options.rules) \(options.ignoredVary.sorted()) \(options.memoryLimit)",
            "\(options.largestBody ?? -1)",
            "\(configuration.identifier ?? "") \(configuration.timeoutIntervalForRequest)",
            "\(configuration.timeoutIntervalForResource) \(configuration.allowsCellularAccess)",
            "\(configuration.httpShouldSetCookies) \(configuration.httpCookieAcceptPolicy.rawValue)",
            "\(configuration.requestCachePolicy.rawValue) \(configuration.networkServiceType.rawValue)",
            "\(configuration.httpMaximumConnectionsPerHost)",
            place(configuration.httpCookieStorage), place(configuration.urlCredentialStorage),
            pairs(configuration.httpAdditionalHeaders), pairs(configuration.connectionProxyDictionary),
            (configuration.protocolClasses ?? []).map { "\(ObjectIdentifier($0))" }.joined(separator: " "),
        ]
    }
}
