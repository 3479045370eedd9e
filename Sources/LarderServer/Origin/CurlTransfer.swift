import CCurl
import Foundation
import LarderKit

/// One request under way: its handle, and what has come of the answer.
///
/// Made, used and released on the loop's thread only; libcurl's callbacks run there too.
final class CurlTransfer {
    let id: Int
    let easy: UnsafeMutableRawPointer
    let completion: CurlLoop.Completion
    private let request: CurlRequest
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var head = AnswerHead()
    private var body = Data()
    private var isTooLarge = false

    /// `nil` when memory is short.
    init?(_ request: CurlRequest, id: Int, completion: @escaping CurlLoop.Completion) {
        guard let easy = curl_easy_init() else { return nil }
        self.id = id
        self.easy = easy
        self.request = request
        self.completion = completion
        setUp()
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(headerList)
    }

    // MARK: What libcurl delivers

    func takeHeader(_ line: UnsafeRawBufferPointer) {
        head.take(line)
    }

    /// `false` ends the transfer.
    func takeBody(_ part: UnsafeRawBufferPointer) -> Bool {
        guard body.count + part.count <= request.bodyLimit else {
            isTooLarge = true
            return false
        }
        body.append(contentsOf: part)
        return true
    }

    func result(_ code: CURLcode) -> Result<RawAnswer, FetchFailure> {
        if isTooLarge || code == CURLE_FILESIZE_EXCEEDED {
            return .failure(FetchFailure(.wrongAnswer, "the body is larger than \(request.bodyLimit) bytes"))
        }
        if let failure = FetchFailure(code) { return .failure(failure) }
        if let problem = head.problem {
            return .failure(FetchFailure(.wrongAnswer, "the answer is malformed: \(problem)"))
        }
        return .success(RawAnswer(status: head.status, headers: headers, body: body, url: request.location))
    }

    /// The header fields that are true of the body as it is handed over.
    private var headers: HeaderFields {
        guard request.decodesBody, let coding = head.headers["Content-Encoding"], coding.lowercased() != "identity"
        else {
            return head.headers
        }
        return HeaderFields(
            head.headers.fields.filter { !["content-encoding", "content-length"].contains($0.name.lowercased()) })
    }

    // MARK: What libcurl is told

    private func setUp() {
        larder_curl_set_string(easy, CURLOPT_URL, request.url)
        larder_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        larder_curl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
        larder_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        larder_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, 30_000)
        larder_curl_set_size(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(request.bodyLimit))
        if let left = request.timeLeft {
            larder_curl_set_long(easy, CURLOPT_TIMEOUT_MS, Int(min(max(left / .milliseconds(1), 1), Double(Int32.max))))
        }
        if request.isLoopback { larder_curl_set_string(easy, CURLOPT_PROXY, "") }
        if request.decodesBody { larder_curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "") }
        // libcurl repeats a request by itself when a connection it took up again turns out to be dead.
        if !request.isSafe { larder_curl_set_long(easy, CURLOPT_FRESH_CONNECT, 1) }
        setMethodAndBody()
        setHeaders()

        let context = Unmanaged.passUnretained(self).toOpaque()
        larder_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        larder_curl_set_callback(easy, CURLOPT_HEADERFUNCTION, takeHeaderLine)
        larder_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        larder_curl_set_callback(easy, CURLOPT_WRITEFUNCTION, takeBodyPart)
    }

    private func setMethodAndBody() {
        if request.method == "HEAD" { larder_curl_set_long(easy, CURLOPT_NOBODY, 1) }
        if let body = request.body {
            larder_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            // One byte more, so that an empty body has an address: libcurl would otherwise ask a callback for it.
            (body + [0]).withUnsafeBytes { bytes in
                _ = larder_curl_set_pointer(
                    easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            }
        }
        larder_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method)
    }

    private func setHeaders() {
        var lines = request.headers.fields.map { field in
            field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
        }
        // Fields that libcurl would add of its own accord.
        lines.append("Expect:")
        if request.body != nil, request.headers["Content-Type"] == nil { lines.append("Content-Type:") }
        for line in lines {
            headerList = curl_slist_append(headerList, line) ?? headerList
        }
        larder_curl_set_headers(easy, headerList)
    }
}

private let takeHeaderLine: larder_curl_bytes_callback = { bytes, size, count, context in
    guard let context else { return 0 }
    Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        .takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

private let takeBodyPart: larder_curl_bytes_callback = { bytes, size, count, context in
    guard let context else { return 0 }
    let isWanted = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        .takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return isWanted ? size * count : 0
}
