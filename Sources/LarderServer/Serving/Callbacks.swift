// What libmicrohttpd calls, in the order in which it does so for each request.
//
// They stand in a file of their own at top level: a closure that inherited an actor's isolation would trap when a
// thread of the daemon's calls it.

import CMicroHTTPD
import Foundation
import LarderKit

/// Once the request line is there: keeps the target as it was sent, before the daemon takes it to pieces.
let beginRequest: larder_mhd_target_callback = { _, target, _ in
    let request = IncomingRequest(target: target.map { String(cString: $0) } ?? "/")
    return Unmanaged.passRetained(request).toOpaque()
}

/// For the head, each part of the body, and the end.
///
/// The first call only takes the head, unless to refuse it: an answer queued there closes the connection after it.
let answerRequest: MHD_AccessHandlerCallback = { context, connection, _, method, _, bytes, count, state in
    guard let context, let connection, let count, let state = state?.pointee else { return .NO }
    let request = Unmanaged<IncomingRequest>.fromOpaque(state).takeUnretainedValue()
    switch request.step {
    case .head:
        request.step = .body
        request.method = method.map { String(cString: $0) } ?? "GET"
        request.headers = headerFields(of: connection)
        guard let refusal = RequestRefusal(headers: request.headers, bodyLimit: IncomingRequest.bodyLimit) else {
            return .YES
        }
        return queue(refusal.response, to: request.method, on: connection)
    case .body where count.pointee > 0:
        let part = UnsafeRawBufferPointer(start: bytes, count: count.pointee)
        count.pointee = 0
        // An answer cannot be queued amid a body: a chunked one that never ends loses its connection.
        return request.append(part) ? .YES : .NO
    case .body:
        let handling = Unmanaged<HandlerContext>.fromOpaque(context).takeUnretainedValue()
        return queue(handling.handle(request.finished), to: request.method, on: connection)
    }
}

/// When the request is over, however it ended.
let endRequest: MHD_RequestCompletedCallback = { _, _, state, _ in
    guard let pointer = state?.pointee else { return }
    Unmanaged<IncomingRequest>.fromOpaque(pointer).release()
    state?.pointee = nil
}

private func headerFields(of connection: OpaquePointer) -> HeaderFields {
    var headers = HeaderFields()
    withUnsafeMutablePointer(to: &headers) { pointer in
        _ = larder_mhd_request_headers(
            connection,
            { context, _, name, value in
                guard let name else { return .YES }
                // Blanks around a value are no part of it (RFC 9112 section 5.1); the daemon keeps those behind it.
                let text = value.map { String(cString: $0) } ?? ""
                context?.assumingMemoryBound(to: HeaderFields.self).pointee
                    .append(name: String(cString: name), value: text.trimmingCharacters(in: .whitespaces))
                return .YES
            }, pointer)
    }
    return headers
}

private func queue(_ response: ServerResponse, to method: String, on connection: OpaquePointer) -> MHD_Result {
    guard response.fault != .closeUnanswered,
        let outgoing = OutgoingResponse(response, toHead: method == "HEAD")
    else { return .NO }
    return outgoing.queue(on: connection)
}
