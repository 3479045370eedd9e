import Foundation
import LarderKit

/// The head of an answer, put together from the lines libcurl hands over.
///
/// Interim answers come before the head and trailers after the body, through the same door: neither is part of it.
struct AnswerHead {
    private(set) var status = 0
    private(set) var headers = HeaderFields()
    /// What makes the answer unfit for use, if anything does. libcurl takes heads that two readers would frame in two
    /// ways; a cache must not.
    private(set) var problem: String?

    private var isOpen = false

    /// Takes one line, with or without its end.
    mutating func take(_ line: some Sequence<UInt8>) {
        let bytes = Array(line)
        let text = Self.text(bytes.prefix(bytes.count - bytes.suffix(2).count { $0 == 0x0D || $0 == 0x0A }))
        if !isOpen {
            // Anything but a status line is a trailer.
            if text.hasPrefix("HTTP/") { open(text) }
        } else if text.isEmpty {
            isOpen = false
            judgeFraming()
        } else if text.first == " " || text.first == "\t" {
            problem = "a header line is folded"
        } else if let colon = text.firstIndex(of: ":"), colon != text.startIndex {
            let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            headers.append(name: String(text[..<colon]), value: value)
        } else {
            problem = "a header line has no name"
        }
    }

    private mutating func open(_ line: String) {
        self = AnswerHead()
        isOpen = true
        let words = line.split(separator: " ", maxSplits: 2)
        if words.count > 1, words[1].count == 3, let status = Int(words[1]) {
            self.status = status
        } else {
            problem = "the status line has no status"
        }
    }

    private mutating func judgeFraming() {
        let lengths = headers.values(of: "Content-Length")
        if Set(lengths).count > 1 || (!lengths.isEmpty && headers["Transfer-Encoding"] != nil) {
            problem = "the length of the body is given in two ways"
        }
    }

    /// UTF-8 where it is, and otherwise one character a byte, which loses nothing.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
