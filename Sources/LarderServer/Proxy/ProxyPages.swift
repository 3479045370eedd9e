import LarderHTTPCache
import LarderKit

import struct Foundation.Data

/// What the proxy tells of itself, under `/.larder/`.
struct ProxyPages: Sendable {
    let facts: @Sendable () -> ProxyFacts

    func answer(_ request: FrontRequest) -> FrontAnswer {
        guard ["GET", "HEAD"].contains(request.method) else { return .plain(405, "Only GET and HEAD.\n") }
        switch request.path.split(separator: "?", maxSplits: 1).first.map(String.init) {
        case "/.larder/", "/.larder/status": return .json(facts().json)
        case "/.larder/metrics":
            return FrontAnswer(
                HTTPResponseHead(
                    status: 200,
                    headers: [
                        "Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store",
                    ]), body: Data(facts().metrics.utf8))
        default: return .plain(404, "There are /.larder/status and /.larder/metrics.\n")
        }
    }
}

/// A proxy at one moment.
package struct ProxyFacts: Sendable {
    package var counts = ProxyCounts()
    package var front = FrontCounts()
    package var isOffline = false
    package var origins: [String] = []
    package var exchangesUnderWay = 0

    package init() {}

    /// One JSON object, with sorted keys.
    package var json: String {
        let results = ProxyResult.allCases.sorted { $0.rawValue < $1.rawValue }
            .map { "\"\($0.rawValue)\":\(counts.results[$0] ?? 0)" }.joined(separator: ",")
        let names = origins.map { "\"\(Self.escaped($0))\"" }.joined(separator: ",")
        return """
            {"bodyBytes":\(counts.bodyBytes),"connections":{"accepted":\(front.acceptedConnections),\
            "open":\(front.openConnections),"timedOut":\(front.timedOutConnections),\
            "turnedAway":\(front.turnedAwayConnections)},"isOffline":\(isOffline),"origin":{"failures":\
            \(counts.originFailures),"requests":\(counts.originRequests),"underWay":\(exchangesUnderWay)},\
            "origins":[\(names)],"refusedRequests":\(front.refusedRequests),"requests":\(counts.requests),\
            "results":{\(results)}}
            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
    }

    /// In Prometheus' text format.
    package var metrics: String {
        var lines: [String] = []
        func metric(_ name: String, _ type: String, _ help: String, _ values: [(String, Int)]) {
            lines.append("# HELP \(name) \(help)")
            lines.append("# TYPE \(name) \(type)")
            for (labels, value) in values { lines.append("\(name)\(labels) \(value)") }
        }
        metric(
            "larder_requests_total", "counter", "Requests answered, by how.",
            ProxyResult.allCases.map { ("{result=\"\($0.rawValue)\"}", counts.results[$0] ?? 0) })
        metric("larder_body_bytes_total", "counter", "Bytes of bodies sent to clients.", [("", counts.bodyBytes)])
        metric("larder_origin_requests_total", "counter", "Requests sent to origins.", [("", counts.originRequests)])
        metric(
            "larder_origin_failures_total", "counter", "Of those, which brought no answer.",
            [("", counts.originFailures)])
        metric(
            "larder_origin_exchanges", "gauge", "Shareable requests to origins under way.", [("", exchangesUnderWay)])
        metric("larder_connections", "gauge", "Connections open.", [("", front.openConnections)])
        metric(
            "larder_connections_total", "counter", "Connections, by what became of them.",
            [
                ("{state=\"accepted\"}", front.acceptedConnections),
                ("{state=\"turned_away\"}", front.turnedAwayConnections),
                ("{state=\"timed_out\"}", front.timedOutConnections),
            ])
        metric(
            "larder_refused_requests_total", "counter", "Requests refused as malformed or too large.",
            [("", front.refusedRequests)])
        metric("larder_offline", "gauge", "1 while no origin is asked.", [("", isOffline ? 1 : 0)])
        return lines.joined(separator: "\n") + "\n"
    }
}

extension FrontAnswer {
    fileprivate static func json(_ text: String) -> FrontAnswer {
        FrontAnswer(
            HTTPResponseHead(
                status: 200, headers: ["Content-Type": "application/json", "Cache-Control": "no-store"]),
            body: Data((text + "\n").utf8))
    }
}
