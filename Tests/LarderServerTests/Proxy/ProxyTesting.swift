import Foundation
import LarderHTTPCache
import LarderKit

@testable import LarderServer

/// What suites have that try a proxy whole: clients and origins are sockets on loopback.
protocol ProxyTesting {}

extension ProxyTesting {
    /// Serves requests for a host `a` beside those that it serves anyway.
    func proxy(
        _ origin: RawServer, kind: CacheKind = .shared, larder: Larder = .inMemory(),
        _ change: (inout CachingProxy.Options) -> Void = { _ in }
    ) throws -> CachingProxy {
        var options = CachingProxy.Options(origins: try OriginMap([origin.url]))
        options.hosts = ["a"]
        change(&options)
        return try CachingProxy(options, transport: CurlTransport()) {
            HTTPCache(larder.common, transport: $0, options: .init(kind: kind))
        }
    }

    func get(
        _ proxy: CachingProxy, _ path: String = "/", method: String = "GET", host: String = "a", _ fields: String = ""
    ) async throws -> RawClient.Answer {
        let client = try RawClient(port: proxy.port)
        client.send("\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\(fields)\r\n")
        return try await client.answer(isHead: method == "HEAD")
    }
}

extension RawClient.Answer {
    /// The fields as lines.
    var text: String {
        "\r\n" + headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
    }
}
