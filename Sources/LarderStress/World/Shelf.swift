import Foundation
import LarderKit
import LarderTestKit

/// A handle of one place, in whichever form its values come.
struct Shelf: Sendable {
    private enum Handle: Sendable {
        case owned(Resource<Owned>)
        case bytes(Resource<Data>)
    }

    /// What is shown: `nil` for bytes that are no value of this program's.
    typealias Shown = Reading<Owned?>

    private let handle: Handle

    func read(_ policy: ReadPolicy? = nil) async throws(LarderError) -> Shown {
        switch handle {
        case .owned(let resource): try await resource.read(policy).map { $0 }
        case .bytes(let resource): try await resource.read(policy).map(Self.value)
        }
    }

    func peek() throws(LarderError) -> Shown? {
        switch handle {
        case .owned(let resource): try resource.peek()?.map { $0 }
        case .bytes(let resource): try resource.peek()?.map(Self.value)
        }
    }

    func store(_ value: Owned) async throws(LarderError) {
        switch handle {
        case .owned(let resource): try await resource.store(value)
        case .bytes(let resource):
            guard let json = try? value.json else { return }
            try await resource.store(json)
        }
    }

    func remove() async throws(LarderError) {
        switch handle {
        case .owned(let resource): try await resource.remove()
        case .bytes(let resource): try await resource.remove()
        }
    }

    /// Each state of it, as long as `body` wants more.
    func follow(_ refresh: RefreshPolicy, _ body: (Shown?, LarderError?) -> Bool) async {
        switch handle {
        case .owned(let resource):
            for await snapshot in resource.updates(refresh: refresh) {
                guard body(snapshot.reading?.map { $0 }, snapshot.error) else { return }
            }
        case .bytes(let resource):
            for await snapshot in resource.updates(refresh: refresh) {
                guard body(snapshot.reading?.map(Self.value), snapshot.error) else { return }
            }
        }
    }

    private static func value(_ data: Data) -> Owned? { try? JSONDecoder().decode(Owned.self, from: data) }
}

extension Session {
    /// A new handle of a place. Its fetch closure knows when that was, whoever waits for it.
    func shelf(
        _ place: Place, maxAge: Duration? = nil, policy: ReadPolicy = .cacheFirst, retry: RetryPolicy = .none,
        patience: Patience = .standard
    ) -> Shelf {
        let spec = place.spec
        let options = ResourceOptions(
            storage: storage(spec.home), fetchTimeout: .milliseconds(400), patience: patience, retry: retry,
            tags: ["all", spec.home.rawValue], origin: spec.host)
        let key = spec.key
        let asked = ledger.ticks.next()
        switch spec.form {
        case .plain:
            return Shelf(
                partition.resource(key, maxAge: maxAge, policy: policy, options: options) { [self] in
                    try await origin.plain(place, of: self, asked: asked)
                })
        case .typed:
            return Shelf(
                partition.resource(key, maxAge: maxAge, policy: policy, options: options) { [self] request in
                    try await origin.typed(place, of: self, asked: asked, request)
                })
        case .raw:
            return Shelf(
                partition.resource(key, decoding: Owned.self, maxAge: maxAge, policy: policy, options: options) {
                    [self] in
                    try await origin.raw(place, of: self, asked: asked, $0)
                })
        case .bytes:
            return Shelf(
                partition.bytes(key, expecting: .json, maxAge: maxAge, policy: policy, options: options) { [self] in
                    try await origin.raw(place, of: self, asked: asked, $0)
                })
        }
    }

    private func storage(_ home: KeySpec.Home) -> ResourceOptions.Storage {
        switch home {
        case .database: .database
        case .files: .files
        case .memory: .memory
        case .own: .store(store)
        }
    }

    /// A new handle of a feed.
    func feed(
        _ place: FeedPlace, maxAge: Duration? = nil, policy: ReadPolicy = .cacheFirst, retry: RetryPolicy = .none
    ) throws(JSONPathError) -> Feed<FeedItem> {
        let options = FeedOptions(fetchTimeout: .milliseconds(400), retry: retry, tags: ["all"])
        let name = place.spec.name
        guard place.spec == .notes else {
            return partition.feed(name, paging: place.spec.paging, maxAge: maxAge, policy: policy, options: options) {
                [self] request in
                try await origin.ask(place, request)
                return try place.served.server.page(for: request)
            }
        }
        let json = try JSONItems(at: "$.items", next: "$.next_cursor")
        return partition.feed(
            name, json: json, paging: place.spec.paging, maxAge: maxAge, policy: policy, options: options
        ) { [self] request in
            try await origin.ask(place, request)
            return place.served.server.rawAnswer(for: request)
        }
    }
}

extension Shelf {
    fileprivate init(_ resource: Resource<Owned>) { handle = .owned(resource) }
    fileprivate init(_ resource: Resource<Data>) { handle = .bytes(resource) }
}
