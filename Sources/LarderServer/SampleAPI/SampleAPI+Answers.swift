import Foundation
import LarderKit

extension ServerResponse {
    /// `body` with validators, or 304 when the client has it already (RFC 9110 section 13.1.2).
    static func sampleDocument(
        _ body: Data, for request: ServerRequest, headers: HeaderFields = [:], cacheControl: String,
        isWeak: Bool = false
    ) -> ServerResponse {
        let tag = EntityTag(of: body, isWeak: isWeak)
        var headers = headers
        headers.append(name: "ETag", value: tag.text)
        headers.append(name: "Cache-Control", value: cacheControl)
        guard let condition = request.headers["If-None-Match"], tag.isNamed(in: condition) else {
            return .json(headers: headers, body)
        }
        // The body gives its length; it is not sent.
        return ServerResponse(status: 304, headers: headers, body: body)
    }

    static func sampleError(_ status: Int, _ text: String, headers: HeaderFields = [:]) -> ServerResponse {
        var headers = headers
        headers.append(name: "Cache-Control", value: "no-store")
        return .json(status: status, headers: headers, SampleJSON.encode(["error": text]))
    }

    /// The failure of ``SampleAPI/Options/failEvery``.
    static var sampleOutage: ServerResponse {
        sampleError(503, "out of order for a moment, on purpose", headers: ["Retry-After": "1"])
    }
}

/// An entity tag made from a body's bytes, the same in every run (RFC 9110 section 8.8.3).
struct EntityTag {
    let text: String

    init(of body: Data, isWeak: Bool) {
        // FNV-1a, 64 bits: no defence against malice, which a sample has no need of.
        let hash = body.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        text = (isWeak ? "W/" : "") + "\"" + String(hash, radix: 16) + "\""
    }

    /// Whether the value of an If-None-Match names it, by the weak comparison (RFC 9110 section 8.8.3.2).
    func isNamed(in condition: String) -> Bool {
        let tags = condition.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        return tags == ["*"] || tags.contains { Self.opaque($0) == Self.opaque(text) }
    }

    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}

/// JSON whose bytes are the same in every run.
enum SampleJSON {
    static func encode(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Text and numbers always encode; the samples hold nothing else.
        return (try? encoder.encode(value)) ?? Data("null".utf8)
    }

    static func array(_ items: [Data]) -> Data {
        var json = Data("[".utf8)
        json.append(contentsOf: items.joined(separator: Data(",".utf8)))
        json.append(contentsOf: "]".utf8)
        return json
    }
}
