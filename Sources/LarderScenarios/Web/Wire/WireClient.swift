import Foundation
import LarderKit

/// A client of the proxy that knows HTTP/1.1 and nothing of caches.
struct WireClient {
    let port: UInt16
    /// The address it comes from.
    let address: String

    /// Makes a request on a connection of its own. Waits for the answer with the calling thread.
    func ask(_ request: WebRequest, _ headers: HeaderFields) -> HTTPOutcome {
        do throws(CaseFailure) {
            let socket = try Socket.connected(to: port, from: address)
            let url = WebURL(request.url)
            var sent = HeaderFields()
            if headers["Host"] == nil { sent.append(name: "Host", value: url.authority) }
            for field in headers.fields { sent.append(name: field.name, value: field.value) }
            if let body = request.body, headers["Content-Length"] == nil {
                sent.append(name: "Content-Length", value: String(body.count))
            }
            sent.append(name: "Connection", value: "close")
            socket.send(WireText.head("\(request.method) \(url.target) HTTP/1.1", sent) + (request.body ?? Data()))
            return read(socket, request.method)
        } catch {
            return HTTPOutcome(FetchFailure(.other, error.description))
        }
    }

    private func read(_ socket: Socket, _ method: String) -> HTTPOutcome {
        var reader = WireReader(socket)
        var interim: [Int] = []
        while let head = reader.head() {
            let (line, headers) = WireText.parse(head)
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), let status = Int(parts[1]) else { break }
            if status < 200 {
                interim.append(status)
                continue
            }
            guard let body = body(&reader, headers, hasBody: method != "HEAD" && status != 204 && status != 304) else {
                return HTTPOutcome(FetchFailure(.offline, "the body of the answer \(status) was cut"))
            }
            return HTTPOutcome(status, headers, body, interim: interim)
        }
        return HTTPOutcome(FetchFailure(.offline, "the connection was closed without an answer"))
    }

    /// `nil` where it is not whole.
    private func body(_ reader: inout WireReader, _ headers: HeaderFields, hasBody: Bool) -> Data? {
        guard hasBody else { return Data() }
        if headers["Transfer-Encoding"]?.lowercased() == "chunked" { return reader.chunks() }
        guard let length = headers["Content-Length"].flatMap({ Int($0) }) else { return reader.rest() }
        let body = reader.bytes(length)
        return body.count == length ? body : nil
    }
}
