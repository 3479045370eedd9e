import Foundation
import LarderKit
import LarderServer
import Synchronization

/// A server on loopback that answers by a closure, and knows what it was asked.
final class Loopback: Sendable {
    typealias Script = @Sendable (ServerRequest) -> ServerResponse

    private let server: HTTPServer
    private let log: RequestLog

    init(_ script: @escaping Script) throws {
        let log = RequestLog()
        self.log = log
        server = try HTTPServer { request in
            log.requests.withLock { $0.append(request) }
            return script(request)
        }
    }

    private final class RequestLog: Sendable {
        let requests = Mutex<[ServerRequest]>([])
    }

    var requests: [ServerRequest] { log.requests.withLock { $0 } }

    func url(_ target: String) -> URL {
        URL(string: server.url + target) ?? URL(filePath: target)
    }

    func stop() { server.stop() }
}

/// Bytes that tell their places apart, a kilobyte at a time.
func patterned(_ count: Int) -> Data {
    var data = Data(capacity: count + 1024)
    var block = 0
    while data.count < count {
        data.append(Data("\(block) ".utf8))
        data.append(Data(repeating: UInt8(truncatingIfNeeded: block), count: 1016))
        block += 1
    }
    return data.prefix(count)
}
