import Foundation
import LarderKit

extension RawAnswer {
    /// What a captive portal shows. It has redirected the request, so the page's address is its own.
    static let portalPage = page(
        """
        <!DOCTYPE html>
        <html><head><title>Sign in to the network</title></head><body><form method="post">…</form></body></html>
        """, contentType: "text/html; charset=utf-8", url: URL(string: "http://portal.example.test/"))

    static func page(_ text: String, contentType: String, url: URL? = nil) -> RawAnswer {
        let body = Data(text.utf8)
        return RawAnswer(
            headers: ["Content-Type": contentType, "Content-Length": "\(body.count)"], body: body, url: url)
    }

    /// What is left of the answer when the connection is lost within its body.
    ///
    /// - Throws: A failure where its head does not tell how much was due, since a transport decodes what comes: it notices.
    func cut(afterBytes count: Int) throws(FetchFailure) -> RawAnswer {
        guard count < body.count else { return self }
        guard headers["Content-Encoding"] == nil else { throw .cutBody }
        var headers = HeaderFields(headers.fields.filter { $0.name.lowercased() != "content-length" })
        headers.append(name: "Content-Length", value: "\(body.count)")
        return RawAnswer(status: status, headers: headers, body: Data(body.prefix(count)), url: url)
    }

    /// 304 in place of an answer that has the validators asked with (RFC 9110 sections 13.1.2, 13.1.3 and 15.4.5).
    func unlessMatching(_ asked: Validators?) -> RawAnswer {
        guard let asked, status == 200 else { return self }
        let own = Validators(etag: headers["ETag"], lastModified: headers["Last-Modified"])
        guard own.match(asked) else { return self }
        let head = headers.fields.filter { !$0.name.lowercased().hasPrefix("content-") }
        return RawAnswer(status: 304, headers: HeaderFields(head), body: Data(), url: url)
    }

    /// What a closure that decodes by itself, and knows the status, makes of an answer that is not its server's.
    func failure(now: Date) -> FetchFailure {
        guard status != 200 && status != 203 else {
            return FetchFailure(.wrongAnswer, "the answer is not what was asked for")
        }
        return .http(status: status, retryAfter: headers["Retry-After"].flatMap { RetryAfter.parse($0, now: now) })
    }
}

extension Validators {
    /// Whether what has these is still what has the others. An entity tag has the last word where one was sent; weak and
    /// strong ones compare alike here.
    func match(_ asked: Validators) -> Bool {
        func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
        if let tag = asked.etag { return etag.map { opaque($0) == opaque(tag) } ?? false }
        guard let date = asked.lastModified else { return false }
        return date == lastModified
    }
}

extension FetchFailure {
    static let cutBody = FetchFailure(.wrongAnswer, "the body ended before its time")
}
