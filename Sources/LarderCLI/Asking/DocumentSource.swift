import Foundation
import LarderKit

/// Where a document comes from: an endpoint that is asked with the validators of what is stored.
struct DocumentSource: Sendable {
    let origin: Origin

    /// The document as a resource under its URL.
    func resource(in partition: Partition, _ options: ReadingOptions) -> Resource<Data> {
        resource(in: partition, maxAge: options.maxAge, policy: options.policy)
    }

    func resource(
        in partition: Partition, maxAge: Duration? = nil, policy: ReadPolicy = .cacheFirst
    ) -> Resource<Data> {
        let origin = origin
        let options = ResourceOptions(
            fetchTimeout: origin.timeout, retry: origin.retry, origin: origin.endpoint.origin)
        return partition.bytes(
            origin.endpoint.url, expecting: .json, maxAge: maxAge, policy: policy, options: options
        ) { request in
            try await origin.get(origin.endpoint.url, conditions: request.validators?.conditionalHeaders ?? [:])
        }
    }
}
