import Foundation
import LarderHTTP
import LarderKit
import LarderTestKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Clients of a larder in memory before a scripted origin, on a clock that is moved by hand.
struct ClientWorld {
    let clock = ManualClock()
    let larder: Larder
    let origin: ScriptedTransport

    init(_ script: @escaping ScriptedTransport.Script) {
        larder = .inMemory(environment: LarderEnvironment(clock: clock))
        origin = ScriptedTransport(script)
    }

    func client(_ partition: String = "", _ options: HTTPCache.Options = .init()) -> CachingClient {
        CachingClient(larder.partition(partition), transport: origin, options: options)
    }

    func get(
        _ path: String = "/t", method: String = "GET", headers: [String: String] = [:], policy: HTTPCachePolicy? = nil,
        cachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy, by client: CachingClient? = nil
    ) async throws -> Got {
        let request = try Self.request(path, method: method, headers: headers, cachePolicy: cachePolicy)
        let (data, response) = try await (client ?? self.client()).data(for: request, policy: policy)
        return Got(text: String(decoding: data, as: UTF8.self), response: response)
    }

    static func request(
        _ path: String, method: String = "GET", headers: [String: String] = [:],
        cachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy
    ) throws -> URLRequest {
        let url = try #require(URL(string: path, relativeTo: URL(string: "https://api.example.test")))
        var request = URLRequest(url: url.absoluteURL, cachePolicy: cachePolicy)
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    struct Got {
        let text: String
        let response: HTTPURLResponse
        var status: Int { response.statusCode }
        var cache: CacheStatus? { response.cacheStatus }
        func field(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }
    }
}

/// Returns when something is so that others bring about.
func waitUntil(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}

func answer(_ text: String, status: Int = 200, _ headers: HeaderFields = [:]) -> ScriptedResponse {
    ScriptedResponse(status: status, headers: headers, body: Data(text.utf8))
}
