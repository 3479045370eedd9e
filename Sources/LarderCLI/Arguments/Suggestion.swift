/// What somebody probably meant.
enum Suggestion {
    /// The candidate nearest to `text`, or `nil` if none is near: a third of the letters may be wrong.
    static func nearest(to text: String, among candidates: [String]) -> String? {
        let ranked = candidates.map { (candidate: $0, distance: distance(text, $0)) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, text.count / 3) ? best.candidate : nil
    }

    /// How many letters must be added, dropped, replaced or swapped with their neighbour (optimal string alignment).
    static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var best = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
