import Foundation
import LarderHTTPCache
import LarderKit

/// A request that has been found fit to be sent.
struct CurlRequest: Sendable {
    let method: String
    let target: OriginTarget
    /// Without the fields that are libcurl's to say. Every value has a byte for each character.
    let headers: HeaderFields
    let body: HTTPRequestBody?
    /// Whether compressed bodies are asked for and decoded.
    var decodesBody = false
    var usesHTTP2 = true
    var usesEnvironmentProxies = true
    /// The file of the authorities trusted in place of the system's.
    var trustedAuthorities: String?
    var timeouts = CurlTimeouts()

    /// - Throws: `other` for what cannot be sent. The explanations repeat nothing of it: a URL may carry a token.
    init(_ head: HTTPRequestHead, body: HTTPRequestBody?) throws(FetchFailure) {
        target = try OriginTarget(head.url, method: head.method)
        guard HTTPToken.isValid(head.method) else { throw FetchFailure(.other, "the method is not a word") }
        guard head.method != "CONNECT" else { throw FetchFailure(.other, "CONNECT asks for no answer of an origin") }
        for field in head.headers.fields {
            guard HTTPToken.isValid(field.name) else {
                throw FetchFailure(.other, "the name of a header field is not a word")
            }
            guard let value = field.value.isoLatin1 else {
                throw FetchFailure(.other, "the value of a header field has a character that stands for no byte")
            }
            guard !value.contains(where: { [0x00, 0x0A, 0x0D].contains($0) }) else {
                throw FetchFailure(.other, "the value of a header field has a line break in it")
            }
        }
        method = head.method
        // With `Expect`, libcurl sends a request again by itself where the answer is 417.
        headers = HeaderFields(
            head.headers.fields.filter { !$0.isFraming && $0.name.lowercased() != "expect" })
        if method == "HEAD" {
            // It means nothing there (RFC 9110 section 9.3.2), and libcurl cannot send it.
            body?.pipe.abandon()
            self.body = nil
        } else if body == nil, ["POST", "PUT", "PATCH"].contains(method) {
            // A method that is made to carry a body says so even when that is empty (RFC 9110 section 8.6).
            self.body = HTTPRequestBody(length: 0, pipe: BodyPipe(Data()))
        } else {
            self.body = body
        }
    }

    /// Whether libcurl may send it again by itself when a connection it took up again turns out to be dead.
    var mayBeRepeated: Bool { body == nil && ["GET", "HEAD", "OPTIONS", "TRACE"].contains(method) }
}

/// How long a request may take.
struct CurlTimeouts: Sendable, Hashable {
    var connect: Duration = .seconds(10)
    /// Until the head of the answer, counted anew from each part of the request's body that goes out.
    var head: Duration?
    /// Without a byte of the answer's body while somebody waits for one.
    var stall: Duration?
    /// For everything.
    var whole: Duration?
}
