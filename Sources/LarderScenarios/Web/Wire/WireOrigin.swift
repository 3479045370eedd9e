import Foundation
import LarderHTTPCache
import LarderKit
import Synchronization

/// An origin of a case, or all of them, as a server on loopback that sends exactly the bytes that its answers say.
///
/// Where it stands for all, the path of a request begins with the number of its answer: `/7/path`. Where it stands for one, it is
/// asked itself.
final class WireOrigin: Sendable {
    private let origin: WebOrigin
    /// Keeps the port where nobody listens.
    private let place: (socket: Socket, port: UInt16)
    private let listener = Mutex<Socket?>(nil)
    private let answers = Mutex<(next: Int, waiting: [Int: WebAnswer])>((1, [:]))
    private let open = Mutex<[ObjectIdentifier: Socket]>([:])
    private let standsFor: String?
    private let places = Mutex<[String: String]>([:])

    var port: UInt16 { place.port }

    /// - Parameter only: The one origin that it stands for, `https://api.example.test`.
    init(_ origin: WebOrigin, standingFor only: String? = nil) throws(CaseFailure) {
        self.origin = origin
        standsFor = only
        place = try Socket.reserved()
        try come()
    }

    /// Takes connections, from the beginning and after ``leave()``.
    func come() throws(CaseFailure) {
        guard listener.withLock({ $0 == nil }) else { return }
        let socket = try Socket.listening(on: port)
        listener.withLock { $0 = socket }
        Thread.detachNewThread { [weak self] in
            while let connection = socket.accept() {
                guard let self else { break }
                self.open.withLock { $0[ObjectIdentifier(connection)] = connection }
                Thread.detachNewThread {
                    self.serve(connection)
                    self.open.withLock { $0[ObjectIdentifier(connection)] = nil }
                }
            }
        }
    }

    /// Ends all connections, and takes no more.
    func leave() {
        listener.withLock { $0.take() }?.shutDown()
        for socket in open.withLock({ $0.values }) { socket.shutDown() }
    }

    /// Where answers name one of these origins, they say the other in its place.
    func set(places: [String: String]) { self.places.withLock { $0 = places } }

    private func replaced(_ headers: HeaderFields) -> HeaderFields {
        let places = places.withLock { $0 }
        let fields = headers.fields.map { field in
            let value = places.reduce(field.value) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
            return HeaderFields.Field(name: field.name, value: value)
        }
        return HeaderFields(fields)
    }

    private func answer(_ method: String, _ target: String, _ headers: HeaderFields) -> WebAnswer? {
        if let standsFor {
            let answer = origin.begin(HTTPRequestHead(method: method, url: standsFor + target, headers: headers))
            if answer == nil { origin.end() }
            return answer
        }
        guard let number = Int(target.dropFirst().prefix { $0 != "/" && $0 != "?" }) else { return nil }
        return answers.withLock { $0.waiting.removeValue(forKey: number) }
    }

    /// What the path of the request begins with that gets this answer.
    func prefix(for answer: WebAnswer) -> String {
        let number = answers.withLock { state in
            defer { state.next += 1 }
            state.waiting[state.next] = answer
            return state.next
        }
        return "/\(number)"
    }

    private func serve(_ socket: Socket) {
        var reader = WireReader(socket)
        while let head = reader.head() {
            let (line, headers) = WireText.parse(head)
            let parts = line.split(separator: " ")
            if headers["Expect"]?.lowercased() == "100-continue" {
                socket.send(WireText.bytes("HTTP/1.1 100 Continue\r\n\r\n"))
            }
            if headers["Transfer-Encoding"] != nil {
                _ = reader.chunks()
            } else if let length = headers["Content-Length"].flatMap({ Int($0) }) {
                _ = reader.bytes(length)
            }
            guard parts.count == 3, let answer = answer(String(parts[0]), String(parts[1]), headers) else { return }
            let method = String(parts[0])
            guard send(answer, to: method, over: socket) else { break }
        }
    }

    /// Blocks the connection's thread until so much of the case's time has passed.
    private func wait(_ delay: Duration) {
        guard delay > .zero else { return }
        let over = DispatchSemaphore(value: 0)
        Task { [origin] in
            try? await origin.wait(delay)
            over.signal()
        }
        over.wait()
    }

    /// - Returns: Whether the connection stays.
    private func send(_ answer: WebAnswer, to method: String, over socket: Socket) -> Bool {
        defer { origin.end() }
        wait(answer.headDelay)
        switch answer.fault {
        case .reset:
            socket.resetWhenClosed()
            return false
        case .some:
            // Nothing, until the client has gone.
            while socket.receive() != nil {}
            return false
        case nil: break
        }
        for head in answer.interim {
            socket.send(WireText.head("HTTP/1.1 \(head.status) Interim", head.headers))
        }
        socket.send(WireText.head("HTTP/1.1 \(answer.status) Scripted", replaced(answer.framedHeaders(method))))
        guard answer.hasBody(method) else { return true }
        let (bytes, isWhole) = wireBody(answer)
        let late = answer.bodyDelay - answer.headDelay
        if late > .zero {
            socket.send(bytes.prefix(bytes.count / 2))
            wait(late)
            socket.send(bytes.dropFirst(bytes.count / 2))
        } else {
            socket.send(bytes)
        }
        if !isWhole { socket.finish() }
        return isWhole
    }

    /// The body with its framing, and whether the connection can go on behind it.
    private func wireBody(_ answer: WebAnswer) -> (bytes: Data, isWhole: Bool) {
        if let raw = answer.raw { return (raw, false) }
        guard answer.isChunked else {
            let due = answer.headers["Content-Length"].flatMap { Int($0) } ?? answer.body.count
            let sent = answer.body.prefix(answer.cut ?? answer.body.count)
            // Where a length is a lie, nobody knows where the next answer would begin.
            return (sent, sent.count == due && !answer.closesAfterRaw && !answer.isAmbiguous)
        }
        let head = answer.body.isEmpty ? "" : "\(String(answer.body.count, radix: 16))\r\n"
        guard let cut = answer.cut else {
            let end = answer.body.isEmpty ? "0\r\n\r\n" : "\r\n0\r\n\r\n"
            return (WireText.bytes(head) + answer.body + WireText.bytes(end), true)
        }
        return (WireText.bytes(head) + answer.body.prefix(cut), false)
    }
}
