import Dispatch
import Foundation
import LarderKit

/// A client that sends bytes as they are given, and shows what came back.
///
/// What waits does so on a queue of its own, never on the threads that run all tasks.
final class RawClient: @unchecked Sendable {
    struct Answer: Hashable {
        var status = 0
        var headers = HeaderFields()
        var body = Data()
        /// Nothing is missing.
        var isWhole = true
    }

    struct NoAnswer: Error {
        let errorNumber: Int32
        let received: Data
    }

    private let socket: Int32
    private let queue = DispatchQueue(label: "raw client")
    /// Received and not handed out; used on the queue only.
    private var buffer = Data()
    private var isAtEnd = false
    private var errorNumber: Int32 = 0

    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        socket = Foundation.socket(AF_INET, Self.stream, 0)
        if var receiveBuffer {
            setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        // A test that would wait for ever fails instead.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw NoAnswer(errorNumber: errno, received: Data()) }
    }

    #if canImport(Darwin)
        private static let stream = SOCK_STREAM
        private static let sendFlags: Int32 = 0
    #else
        private static let stream = Int32(SOCK_STREAM.rawValue)
        private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    deinit {
        Foundation.close(socket)
    }

    func send(_ text: String) { send(Data(text.utf8)) }

    func send(_ data: Data) {
        data.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Foundation.send(
                    socket, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Self.sendFlags)
                guard count > 0 else { return }
                sent += count
            }
        }
    }

    /// For what is more than fits into the buffers of the system.
    func sendWaiting(_ data: Data) async {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "raw client, sending").async {
                self.send(data)
                continuation.resume()
            }
        }
    }

    func endSending() { shutdown(socket, Int32(SHUT_WR)) }
    /// Both directions, at once.
    func leave() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// The next answer, interim ones too.
    func answer(isHead: Bool = false) async throws -> Answer {
        try await onQueue { client in try client.takeAnswer(isHead: isHead) }
    }

    /// All that comes until the connection ends, and how it ended: 0 for an orderly end.
    func rest() async -> (text: String, errorNumber: Int32) {
        let result = try? await onQueue { client in
            while client.receive() {}
            defer { client.buffer = Data() }
            return (String(decoding: client.buffer, as: UTF8.self), client.errorNumber)
        }
        return result ?? ("", -1)
    }

    /// At least so many bytes, as they came.
    func bytes(_ count: Int) async throws -> Data {
        try await onQueue { client in try client.take(count) }
    }

    // MARK: On the queue

    private func onQueue<R: Sendable>(_ body: @escaping @Sendable (RawClient) throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body(self) }) }
        }
    }

    private func receive() -> Bool {
        guard !isAtEnd else { return false }
        let count = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { bytes in
            let count = recv(socket, bytes.baseAddress, bytes.count, 0)
            if count > 0 { buffer.append(contentsOf: bytes[..<count]) }
            return count
        }
        if count < 0 { errorNumber = errno }
        isAtEnd = count <= 0
        return count > 0
    }

    private func take(_ count: Int) throws -> Data {
        while buffer.count < count {
            guard receive() else { throw NoAnswer(errorNumber: errorNumber, received: buffer) }
        }
        defer { buffer = Data(buffer.dropFirst(count)) }
        return Data(buffer.prefix(count))
    }

    private func takeLine() throws -> String {
        while true {
            if let end = buffer.firstRange(of: Data("\r\n".utf8)) {
                defer { buffer = Data(buffer[end.upperBound...]) }
                return String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
            }
            guard receive() else { throw NoAnswer(errorNumber: errorNumber, received: buffer) }
        }
    }

    private func takeAnswer(isHead: Bool) throws -> Answer {
        var answer = Answer()
        answer.status = Int(try takeLine().split(separator: " ").dropFirst().first ?? "") ?? -1
        while case let line = try takeLine(), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            answer.headers.append(
                name: String(parts[0]), value: parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
        if isHead || answer.status < 200 || answer.status == 204 || answer.status == 304 { return answer }
        do {
            if answer.headers["Transfer-Encoding"] == "chunked" {
                while case let size = Int(try takeLine(), radix: 16) ?? -1, size > 0 {
                    answer.body += try take(size)
                    _ = try takeLine()
                }
                _ = try takeLine()
            } else if let length = answer.headers["Content-Length"].flatMap({ Int($0) }) {
                answer.body = try take(length)
            } else {
                while receive() {}
                answer.body = buffer
                answer.isWhole = errorNumber == 0
                buffer = Data()
            }
        } catch let error as NoAnswer {
            answer.body += error.received
            answer.isWhole = false
        }
        return answer
    }
}
