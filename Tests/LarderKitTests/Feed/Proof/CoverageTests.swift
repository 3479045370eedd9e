import LarderTestKit
import Testing

@testable import LarderKit

/// Claims and releases against a model that keeps what is known of each cell between two cuts.
@Suite struct CoverageTests {
    enum Step: CustomStringConvertible {
        case claim(Span, Int64)
        case release(Span, Int64)

        var description: String {
            switch self {
            case .claim(let span, let order): "claim \(span) @\(order)"
            case .release(let span, let order): "release \(span) @\(order)"
            }
        }
    }

    /// The latest word on each cell of ``SpanTests``.
    private struct Model {
        /// A head is known as a whole or not at all, so the cells of one share a number.
        struct Word: Equatable {
            let order: Int64
            let head: Int?
        }

        var words = [Word?](repeating: nil, count: SpanTests.cuts.count - 1)
        private var heads = 0

        mutating func take(_ step: Step) -> Set<Int> {
            switch step {
            case .claim(let span, let order):
                let cells = SpanTests.cells(span)
                let settled = cells.filter { words[$0].map { $0.order <= order } ?? true }
                forget(settled)
                heads += 1
                if span.high != .top || settled == cells {
                    for cell in settled { words[cell] = Word(order: order, head: span.high == .top ? heads : nil) }
                }
                return settled
            case .release(let span, let order):
                forget(SpanTests.cells(span).filter { words[$0].map { $0.order < order } ?? false })
                return []
            }
        }

        private mutating func forget(_ cells: Set<Int>) {
            let cutHeads = Set(cells.compactMap { words[$0]?.head })
            for cell in words.indices where cells.contains(cell) || words[cell]?.head.map(cutHeads.contains) ?? false {
                words[cell] = nil
            }
        }
    }

    private static let spans = SpanTests.spans.filter { !$0.isEmpty }

    private func stamp(_ order: Int64) -> Stamp { Stamp(order: order, at: 0, lifetime: nil) }

    private func play(_ steps: [Step]) -> String? {
        var coverage = Coverage()
        var model = Model()
        for step in steps {
            let expected = model.take(step)
            switch step {
            case .claim(let span, let order):
                let settled = coverage.claim(span, stamp: stamp(order))
                if Set(settled.flatMap(SpanTests.cells)) != expected { return "\(steps) settles \(settled)" }
            case .release(let span, let order):
                coverage.release(span, before: stamp(order))
            }
            var words = [Int64?](repeating: nil, count: model.words.count)
            for segment in coverage.segments {
                for cell in SpanTests.cells(segment.span) {
                    if words[cell] != nil { return "\(steps): segments overlap" }
                    words[cell] = segment.stamp.order
                }
            }
            if words != model.words.map({ $0?.order }) { return "\(steps) gives \(coverage.segments)" }
            let sorted = coverage.segments.sorted { $0.span.low < $1.span.low }
            if sorted != coverage.segments { return "\(steps): segments out of order" }
        }
        return nil
    }

    @Test func `three claims give the latest word on each cell, in whatever order they come`() {
        for order in [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] as [[Int64]] {
            for first in Self.spans {
                for second in Self.spans {
                    for third in Self.spans {
                        let steps = zip([first, second, third], order).map { Step.claim($0, $1) }
                        if let failure = play(steps) {
                            Issue.record("\(failure)")
                            return
                        }
                    }
                }
            }
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>)
    func `claims and releases in any order agree with the model`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            let steps = (0..<5).compactMap { _ -> Step? in
                guard let span = Self.spans.randomElement(using: &random) else { return nil }
                let order = Int64.random(in: 1...5, using: &random)
                return Int.random(in: 0..<3, using: &random) > 0 ? .claim(span, order) : .release(span, order)
            }
            if let failure = play(steps) {
                Issue.record("\(failure)")
                return
            }
        }
    }

    @Test func `a page that does not reach the old head leaves a gap, whichever of the two answers comes first`() {
        let old = (items: Span(.below(.integer(1)), .above(.integer(3))), head: Span(.above(.integer(3)), .top))
        let new = (items: Span(.below(.integer(8)), .above(.integer(9))), head: Span(.above(.integer(9)), .top))
        var inOrder = Coverage()
        for (page, order) in [(old, 1), (new, 2)] as [((items: Span, head: Span), Int64)] {
            inOrder.claim(page.items, stamp: stamp(order))
            inOrder.claim(page.head, stamp: stamp(order))
        }
        var late = Coverage()
        for (page, order) in [(new, 2), (old, 1)] as [((items: Span, head: Span), Int64)] {
            late.claim(page.items, stamp: stamp(order))
            late.claim(page.head, stamp: stamp(order))
        }
        #expect(inOrder.segments.map(\.span) == [old.items, new.items, new.head])
        #expect(late == inOrder)
    }

    @Test func `touching segments of one answer are one, of two answers two`() {
        var coverage = Coverage()
        coverage.claim(Span(.below(.integer(1)), .above(.integer(2))), stamp: stamp(1))
        coverage.claim(Span(.above(.integer(2)), .above(.integer(3))), stamp: stamp(1))
        coverage.claim(Span(.above(.integer(3)), .above(.integer(4))), stamp: stamp(2))
        #expect(
            coverage.segments.map(\.span) == [
                Span(.below(.integer(1)), .above(.integer(3))), Span(.above(.integer(3)), .above(.integer(4))),
            ])
    }
}
