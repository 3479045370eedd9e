import Foundation
import LarderHTTPCache
import LarderKit
import LarderTestKit

/// An HTTP cache in memory before a scripted origin, on a clock that is moved by hand.
struct CacheWorld {
    let clock = ManualClock(wall: start)
    let larder: Larder
    let origin: ScriptedTransport
    let cache: HTTPCache

    /// Thu, 15 Jan 2026 12:00:00 GMT
    static let start = Date(timeIntervalSince1970: 1_768_478_400)

    init(
        _ kind: CacheKind = .private, partition: String = "", _ change: (inout HTTPCache.Options) -> Void = { _ in },
        script: @escaping ScriptedTransport.Script
    ) {
        larder = .inMemory(environment: LarderEnvironment(clock: clock))
        origin = ScriptedTransport(script)
        var options = HTTPCache.Options(kind: kind)
        change(&options)
        cache = HTTPCache(larder.partition(partition), transport: origin, options: options)
    }

    func get(
        _ url: String = "https://api.example.test/t", method: String = "GET", headers: HeaderFields = [:],
        client: String? = nil, policy: HTTPCachePolicy = .standard
    ) async throws -> Got {
        let request = HTTPRequestHead(method: method, url: url, headers: headers)
        let answer = try await cache.answer(request, client: client, policy: policy)
        return Got(answer: answer, text: String(decoding: try await answer.body.collect(), as: UTF8.self))
    }

    struct Got {
        let answer: HTTPAnswer
        let text: String
        var status: Int { answer.head.status }
        var headers: HeaderFields { answer.head.headers }
        var cacheStatus: String { headers["Cache-Status"] ?? "" }
    }

    /// The time as an origin writes it.
    static func date(_ offset: Double = 0) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: start + offset)
    }
}
