/// One line of the table: a piece of work as we do it, beside the same work by raw C.
struct Figure: Encodable {
    enum Unit: String, Encodable {
        case nanoseconds
        case perSecond = "per second"
        case bytes
    }

    let work: String
    let ours: Double
    /// Nothing for a figure that stands alone.
    let raw: Double?
    let unit: Unit
    /// Ours to raw C.
    let ratio: Double?
    /// The ratio aimed at; where it is a rate, more is better.
    let target: Double?

    /// `nil` where no target is set.
    var isMet: Bool? {
        guard let ratio, let target else { return nil }
        return unit == .perSecond ? ratio >= target : ratio <= target
    }

    init(
        _ work: String, ours: Double, raw: Double?, unit: Unit = .nanoseconds, ratio: Double? = nil,
        target: Double? = nil
    ) {
        self.work = work
        self.ours = ours
        self.raw = raw
        self.unit = unit
        self.ratio = ratio ?? raw.map { ours / $0 }
        self.target = target
    }

    private enum CodingKeys: String, CodingKey {
        case work, ours, raw, unit, ratio, target, met
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(work, forKey: .work)
        try container.encode(ours, forKey: .ours)
        try container.encode(raw, forKey: .raw)
        try container.encode(unit, forKey: .unit)
        try container.encode(ratio, forKey: .ratio)
        try container.encode(target, forKey: .target)
        try container.encode(isMet, forKey: .met)
    }
}

extension Figure {
    /// The middle of the runs.
    static func p50(_ work: String, _ comparison: Comparison, target: Double? = nil) -> Figure {
        Figure(
            work, ours: comparison.ours.p50, raw: comparison.raw.p50, ratio: comparison.ratio, target: target)
    }

    /// The slow end of the runs.
    static func p99(_ work: String, _ comparison: Comparison, target: Double? = nil) -> Figure {
        Figure(work + ", p99", ours: comparison.ours.p99, raw: comparison.raw.p99, target: target)
    }
}
