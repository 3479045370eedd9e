import LarderKit

/// The values of one writer: it counts, and stores each number at the next of its places.
enum SoakPlace {
    private static let count = 6

    static func all(of writer: Int) -> [String] { (0..<count).map { "writer/\(writer)/\($0)" } }

    static func place(of number: Int, writer: Int) -> String { all(of: writer)[number % count] }

    /// The last number that was stored at a place; 0 is none.
    static func last(of place: String, writer: Int, upTo number: Int) -> Int {
        (max(1, number - count + 1)...max(1, number)).last {
            $0 <= number && self.place(of: $0, writer: writer) == place
        } ?? 0
    }

    static func resource(_ place: String, in larder: Larder, version: Int = 0) -> Resource<Sample> {
        larder.common.resource(place) { Sample(place, version: version, size: Sample.size(of: version)) }
    }
}
