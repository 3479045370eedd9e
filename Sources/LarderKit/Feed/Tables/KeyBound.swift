/// A cut as the key and the comparison that SQL needs.
struct KeyBound {
    let key: SortKey
    let isAbove: Bool

    init(_ cut: Cut) {
        switch cut {
        case .bottom: (key, isAbove) = (.integer(.min), false)
        case .below(let key): (self.key, isAbove) = (key, false)
        case .above(let key): (self.key, isAbove) = (key, true)
        case .top: (key, isAbove) = (.bytes([0xFF]), true)  // no id begins so: FF is not in UTF-8
        }
    }
}
