import CCurl
import LarderKit

extension FetchFailure {
    /// What a transfer's result means, `nil` for a transfer that went well.
    ///
    /// The explanations are ours: libcurl's own may name the host and the URL.
    init?(_ code: CURLcode) {
        switch code {
        case CURLE_OK:
            return nil
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            self.init(.offline, "the name of the host cannot be resolved")
        case CURLE_COULDNT_CONNECT:
            self.init(.offline, "the connection is refused, or the host cannot be reached")
        case CURLE_GOT_NOTHING:
            self.init(.offline, "the connection was closed before an answer came")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self.init(.offline, "the connection was lost")
        case CURLE_SSL_CONNECT_ERROR:
            self.init(.offline, "no secure connection could be made")
        case CURLE_OPERATION_TIMEDOUT:
            self.init(.timedOut, "no answer came in time")
        case CURLE_PARTIAL_FILE:
            self.init(.wrongAnswer, "the body ended before its time")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR,
            CURLE_OUT_OF_MEMORY:
            self.init(.wrongAnswer, "the answer is malformed, or its head is too large (curl \(code.rawValue))")
        case CURLE_PEER_FAILED_VERIFICATION:
            self.init(.other, "the certificate of the server cannot be trusted")
        case CURLE_URL_MALFORMAT:
            self.init(.other, "the URL is not valid")
        default:
            self.init(.other, "the request failed (curl \(code.rawValue))")
        }
    }

    /// The transfer was ended from this side.
    static var stopped: FetchFailure {
        FetchFailure(.other, "the request was cancelled")
    }
}
