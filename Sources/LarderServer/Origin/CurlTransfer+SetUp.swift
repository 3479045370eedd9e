import CCurl
import Foundation
import LarderHTTPCache
import LarderKit

extension CurlTransfer {
    /// Tells libcurl all about the request.
    func setUp() {
        setTarget()
        setMethodAndBody()
        setHeaders()
        setTimeouts()
        larder_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        let version = request.usesHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        larder_curl_set_long(easy, CURLOPT_HTTP_VERSION, version)
        // Otherwise the loop waits for a name to be looked up when nobody waits for it any more.
        larder_curl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        if let file = request.trustedAuthorities { larder_curl_set_string(easy, CURLOPT_CAINFO, file) }
        if request.decodesBody {
            larder_curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
        } else {
            larder_curl_set_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
            // Codings that are not known would be refused. The chunks are taken off here.
            larder_curl_set_long(easy, CURLOPT_HTTP_TRANSFER_DECODING, 0)
        }
        // libcurl repeats a request by itself when a connection it took up again turns out to be dead.
        if !request.mayBeRepeated { larder_curl_set_long(easy, CURLOPT_FRESH_CONNECT, 1) }

        let context = Unmanaged.passUnretained(self).toOpaque()
        larder_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        larder_curl_set_callback(easy, CURLOPT_HEADERFUNCTION, takeHeaderLine)
        larder_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        larder_curl_set_callback(easy, CURLOPT_WRITEFUNCTION, takeBodyPart)
        larder_curl_set_pointer(easy, CURLOPT_READDATA, context)
        larder_curl_set_callback(easy, CURLOPT_READFUNCTION, giveBodyPart)
    }

    private func setTarget() {
        let target = request.target
        let place = "\(target.scheme)://\(target.authority)"
        larder_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        larder_curl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
        larder_curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        let isDirect = target.isLoopback || !request.usesEnvironmentProxies
        if isDirect { larder_curl_set_string(easy, CURLOPT_PROXY, "") }
        if isDirect || target.scheme == "https" || !Self.environmentNamesProxy {
            setString(CURLOPT_URL, place + "/")
            setString(CURLOPT_REQUEST_TARGET, target.target)
        } else {
            // A proxy is asked for the whole URL, which libcurl writes itself.
            setString(CURLOPT_URL, place + target.target)
        }
    }

    /// Whether plain HTTP may go through a proxy.
    private static let environmentNamesProxy = ["http_proxy", "all_proxy", "ALL_PROXY"]
        .contains { (name: String) in getenv(name) != nil }

    private func setMethodAndBody() {
        if request.method == "HEAD" { larder_curl_set_long(easy, CURLOPT_NOBODY, 1) }
        if let upload {
            larder_curl_set_long(easy, CURLOPT_UPLOAD, 1)
            larder_curl_set_size(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(upload.length ?? -1))
        }
        larder_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method)
    }

    private func setHeaders() {
        var lines = request.headers.fields.map { field in
            field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
        }
        // Fields that libcurl would add of its own accord.
        lines.append("Expect:")
        if request.headers["Accept"] == nil { lines.append("Accept:") }
        for line in lines {
            headerList = withBytes(of: line) { larder_curl_slist_append(headerList, $0) } ?? headerList
        }
        larder_curl_set_headers(easy, headerList)
    }

    private func setTimeouts() {
        larder_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, request.timeouts.connect.inMilliseconds)
        if let whole = request.timeouts.whole {
            larder_curl_set_long(easy, CURLOPT_TIMEOUT_MS, whole.inMilliseconds)
        }
    }

    private func setString(_ option: CURLoption, _ text: String) {
        withBytes(of: text) { _ = larder_curl_set_string(easy, option, $0) }
    }

    private func withBytes<Result>(of text: String, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        ((text.isoLatin1 ?? []) + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}

extension Duration {
    /// At least one, rounded up.
    var inMilliseconds: Int { Int(min(max((self / .milliseconds(1)).rounded(.up), 1), Double(Int32.max))) }
}

private let takeHeaderLine: larder_curl_bytes_callback = { bytes, size, count, context in
    guard let context else { return 0 }
    let isWanted = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        .takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return isWanted ? size * count : 0
}

private let takeBodyPart: larder_curl_bytes_callback = { bytes, size, count, context in
    guard let context else { return 0 }
    return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        .takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
}

private let giveBodyPart: larder_curl_bytes_callback = { bytes, size, count, context in
    guard let context else { return CurlTransfer.abort }
    return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        .giveBody(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}
