import LarderHTTPCache
import LarderKit

/// The name under which one proxy writes itself into `Via` (RFC 9110 section 7.6.3), so that it knows what comes back to it.
///
/// The cache sees the same word from every proxy, and the whole name is put in on the way out: what varies by `Via` is not stored
/// anew by each process.
struct ProxyName: Sendable, Hashable {
    private static let word = "larder"
    /// So many of this kind in a row are a circle, whatever their names.
    private static let chainLimit = 5

    let text: String

    /// Another each time.
    init() {
        let digits = String(UInt32.random(in: .min ... .max), radix: 16)
        text = "\(Self.word)-\(String(repeating: "0", count: 8 - digits.count))\(digits)"
    }

    /// What is added to a request on its way into the cache.
    static func field(minorVersion: Int) -> HeaderFields.Field {
        HeaderFields.Field(name: "Via", value: "1.\(minorVersion) \(word)")
    }

    /// A request on its way out, with the whole name in place of the word.
    func signing(_ request: HTTPRequestHead) -> HTTPRequestHead {
        var fields = request.headers.fields
        let mark = fields.lastIndex { $0.name == "Via" && $0.value.hasSuffix(" \(Self.word)") }
        let version = mark.flatMap { fields.remove(at: $0).value.split(separator: " ").first } ?? "1.1"
        fields.append(HeaderFields.Field(name: "Via", value: "\(version) \(text)"))
        var request = request
        request.headers = HeaderFields(fields)
        return request
    }

    /// Whether a request has come through here before, or through so many others that it must go in a circle.
    ///
    /// - Parameter via: The values of `Via`.
    func isLoop(_ via: [String]) -> Bool {
        guard !via.isEmpty else { return false }
        let names = via.flatMap { $0.split(separator: ",") }.map {
            $0.split { $0 == " " || $0 == "\t" }.dropFirst().first ?? ""
        }
        return names.contains(text[...])
            || names.count { $0 == Self.word || $0.hasPrefix("\(Self.word)-") } >= Self.chainLimit
    }
}
