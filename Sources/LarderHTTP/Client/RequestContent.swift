import Foundation
import LarderHTTPCache
import LarderKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request's body in memory, which can be sent again where a redirect asks for that.
enum RequestContent {
    /// The body of a request, read to its end if it is a stream.
    static func read(_ request: URLRequest) async throws(FetchFailure) -> Data? {
        if let data = request.httpBody { return data }
        guard let stream = request.httpBodyStream else { return nil }
        // Its reader may wait for whoever writes: not on a thread that runs tasks.
        nonisolated(unsafe) let source = stream
        let data = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: drain(source)) }
        }
        guard let data else { throw FetchFailure(.other, "the body of the request could not be read") }
        return data
    }

    private static func drain(_ stream: InputStream) -> Data? {
        stream.open()
        defer { stream.close() }
        var whole = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            if count == 0 { return whole }
            guard count > 0 else { return nil }
            whole.append(contentsOf: buffer[..<count])
        }
    }

    static func body(_ data: Data?) -> HTTPRequestBody? {
        data.map { HTTPRequestBody(length: $0.count, pipe: BodyPipe($0)) }
    }
}
