/// The places where entries stand and have stood, as numbers that are given once each: a cursor marks one of them, and so
/// outlives the item it stood at.
struct PlaceMarks: Sendable {
    /// Newest first, those of entries that have gone or moved away among them.
    private var numbers: [Int] = []

    /// Marks a place right below another one, or above all when there is no other.
    mutating func mark(below upper: Int?) -> Int {
        let index = upper.flatMap { numbers.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        return insert(at: index)
    }

    /// Marks a place below all there ever was.
    mutating func markBelowAll() -> Int {
        insert(at: numbers.endIndex)
    }

    /// All that lies at or above a place, or `nil` for a number that was never given.
    func through(_ number: Int) -> Set<Int>? {
        numbers.firstIndex(of: number).map { Set(numbers[...$0]) }
    }

    /// No place is ever forgotten, so their count tells the next number. The first is 1.
    private mutating func insert(at index: Int) -> Int {
        let number = numbers.count + 1
        numbers.insert(number, at: index)
        return number
    }
}
