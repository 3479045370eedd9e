import LarderKit
import Testing

@Suite("Content-Type")
struct MediaTypeTests {
    @Test(
        "JSON, HTML, other, absent",
        arguments: [
            ("application/json", .json), ("application/json; charset=utf-8", .json),
            ("application/json;charset=utf-8", .json),
            ("Application/JSON", .json), (" application/json ", .json), ("text/json", .json),
            ("application/problem+json", .json), ("application/vnd.api+json; ext=\"x\"", .json),
            ("application/json, text/html", .json),
            ("text/html", .html), ("text/html; charset=utf-8", .html), ("TEXT/HTML", .html),
            ("application/xhtml+xml", .html),
            ("text/plain", .other), ("application/octet-stream", .other), ("application/x-ndjson", .other),
            ("application/json-seq", .other), ("application/jsonx", .other),
            ("image/png; x=\"application/json\"", .other),
            ("json", .other), ("+json", .other), ("text/html+", .other),
            ("", .absent), ("  ", .absent), ("; charset=utf-8", .absent), (nil, .absent),
        ] as [(String?, MediaType)])
    func kinds(contentType: String?, kind: MediaType) {
        #expect(MediaType(contentType: contentType) == kind)
    }
}
