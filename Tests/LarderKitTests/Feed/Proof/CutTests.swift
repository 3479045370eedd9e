import Testing

@testable import LarderKit

@Suite struct CutTests {
    static let keys: [SortKey] =
        [.integer(.min), .integer(-256), .integer(-1), .integer(0), .integer(1), .integer(255), .integer(256)]
        + [.integer(.max), .bytes([]), .bytes([0]), .bytes([0, 0]), .bytes([0, 1]), .bytes([0, 0xFF]), .bytes([1])]
        + [.bytes([1, 0]), .bytes([1, 0, 0]), .bytes([1, 0, 1]), .bytes([1, 1]), .bytes([0xFE]), .bytes([0xFF])]

    /// Lowest first.
    static let cuts: [Cut] = [.bottom] + keys.flatMap { [.below($0), .above($0)] } + [.top]

    @Test func `cuts lie below and above each key, and at the ends`() {
        for (low, lower) in Self.cuts.enumerated() {
            for (high, upper) in Self.cuts.enumerated() {
                #expect((lower < upper) == (low < high), "\(lower) \(upper)")
            }
        }
    }

    @Test func `encoded cuts sort byte by byte as cuts do`() {
        for (lower, upper) in zip(Self.cuts, Self.cuts.dropFirst()) {
            #expect(lower.encoded.lexicographicallyPrecedes(upper.encoded), "\(lower) \(upper)")
        }
    }

    @Test(arguments: cuts)
    func `a cut is decoded as it was encoded`(cut: Cut) {
        #expect(cut.encoded.withUnsafeBytes { Cut(encoded: $0) } == cut)
    }

    @Test(arguments: [
        [], [0, 0], [0x10], [0x10, 0, 0, 0, 0, 0, 0, 0, 1, 2], [0x20], [0x20, 0], [0x20, 0, 7], [0x30, 0, 0],
        [0xFF, 0],
    ])
    func `bytes that are no cut are refused`(bytes: [UInt8]) {
        #expect(bytes.withUnsafeBytes { Cut(encoded: $0) } == nil)
    }
}

@Suite struct SpanTests {
    /// A small world: two items, the cuts about them, and the cells between one cut and the next.
    static let cuts: [Cut] = [
        .bottom, .below(.integer(1)), .above(.integer(1)), .below(.integer(2)), .above(.integer(2)), .top,
    ]

    static let spans: [Span] = cuts.flatMap { low in cuts.map { Span(low, $0) } }

    static func cells(_ span: Span) -> Set<Int> {
        Set(zip(cuts, cuts.dropFirst()).enumerated().filter { span.low <= $1.0 && $1.1 <= span.high }.map(\.offset))
    }

    @Test func `a span is empty when nothing lies in it`() {
        for span in Self.spans { #expect(span.isEmpty == Self.cells(span).isEmpty) }
    }

    @Test func `an intersection is what lies in both`() {
        for left in Self.spans {
            for right in Self.spans {
                #expect(Self.cells(left.intersection(right)) == Self.cells(left).intersection(Self.cells(right)))
            }
        }
    }

    @Test func `what is left of a span lies in it and not in the other, lower part first`() {
        for left in Self.spans {
            for right in Self.spans {
                let rest = left.subtracting(right)
                #expect(Set(rest.flatMap(Self.cells)) == Self.cells(left).subtracting(Self.cells(right)))
                #expect(rest.allSatisfy { !$0.isEmpty })
                #expect(zip(rest, rest.dropFirst()).allSatisfy { $0.high <= $1.low })
            }
        }
    }

    @Test func `a span contains a key when the key's own place lies in it`() {
        for span in Self.spans {
            #expect(span.contains(.integer(1)) == Self.cells(span).contains(1))
            #expect(span.contains(.integer(2)) == Self.cells(span).contains(3))
        }
        #expect(Span(of: .integer(1)).contains(.integer(1)))
        #expect(!Span(of: .integer(1)).contains(.integer(2)))
    }

    @Test func `a key is found in whichever of many spans it lies`() {
        let spans = stride(from: 0 as Int64, to: 60, by: 6).flatMap { low -> [Span] in
            // Closed, open, and touching the one before.
            [
                Span(.below(.integer(low)), .above(.integer(low + 1))),
                Span(.above(.integer(low + 1)), .below(.integer(low + 3))),
                Span(.above(.integer(low + 3)), .above(.integer(low + 4))),
            ]
        }
        for count in 0...spans.count {
            let some = Array(spans.prefix(count))
            for key in (-1...61).map({ SortKey.integer($0) }) {
                #expect(some.contains(key) == some.contains { $0.contains(key) })
            }
        }
    }
}
