import CMicroHTTPD
import Foundation
import LarderKit

/// An answer in the daemon's own form.
struct OutgoingResponse: ~Copyable {
    private let status: Int
    private let handle: OpaquePointer

    /// `nil` if the daemon is out of memory or refuses a header field.
    init?(_ response: ServerResponse, toHead isToHead: Bool) {
        guard let handle = Self.makeHandle(response, toHead: isToHead) else { return nil }
        guard Self.addHeaders(of: response, to: handle) else {
            larder_mhd_response_release(handle)
            return nil
        }
        self.handle = handle
        status = response.status
    }

    deinit {
        larder_mhd_response_release(handle)
    }

    consuming func queue(on connection: OpaquePointer) -> MHD_Result {
        larder_mhd_response_queue(handle, connection, UInt32(status))
    }

    private static func addHeaders(of response: ServerResponse, to handle: OpaquePointer) -> Bool {
        for field in response.headers.fields where !field.name.isContentLength {
            // The daemon refuses an empty value; a blank is dropped by whoever reads it.
            let value = field.value.isEmpty ? " " : field.value
            guard larder_mhd_response_add_header(handle, field.name, value) == .YES else { return false }
        }
        guard response.addsDate, response.headers["Date"] == nil else { return true }
        return larder_mhd_response_add_header(handle, "Date", HTTPDate.format(Date())) == .YES
    }

    /// To HEAD and with 304, chunks must not be chosen: the daemon would send the last one, and the client take it for
    /// the beginning of the next answer.
    private static func makeHandle(_ response: ServerResponse, toHead isToHead: Bool) -> OpaquePointer? {
        let size = UInt64(response.body.count)
        if response.status == 304 {
            // A body in memory would send `Content-Length: 0` in place of the length of what is not modified.
            let handle = streamed(BodyReader(Data(), cutAfter: nil), size: size == 0 ? unknownSize : size)
            if size == 0 { larder_mhd_response_end_by_closing(handle) }
            return handle
        }
        let isChunked = response.framing == .chunked && !isToHead
        if case .closeAfter(let bytes) = response.fault {
            return streamed(BodyReader(response.body, cutAfter: bytes), size: isChunked ? unknownSize : size)
        }
        if isChunked {
            return streamed(BodyReader(response.body, cutAfter: nil), size: unknownSize)
        }
        return response.body.withUnsafeBytes { bytes in
            larder_mhd_response_of(bytes.baseAddress, bytes.count)
        }
    }

    private static func streamed(_ reader: BodyReader, size: UInt64) -> OpaquePointer? {
        let context = Unmanaged.passRetained(reader)
        let handle = larder_mhd_response_from(
            size, blockSize, readBody, context.toOpaque(), releaseBody)
        if handle == nil { context.release() }
        return handle
    }

    /// `MHD_SIZE_UNKNOWN`, a macro that Swift does not see.
    private static let unknownSize = UInt64.max
    private static let blockSize = 32 * 1024
}

extension String {
    fileprivate var isContentLength: Bool { lowercased() == "content-length" }
}
