/// A value that tells of itself what it is: half of it, or that of another place, is found out.
struct Sample: Codable, Sendable, Hashable {
    let place: String
    /// From 1 on; each is stored once.
    let version: Int
    let filler: String

    /// - Parameter size: How many bytes of filler.
    init(_ place: String, version: Int, size: Int) {
        self.place = place
        self.version = version
        filler = Self.filler(place, version, size)
    }

    var isWhole: Bool { filler == Self.filler(place, version, filler.utf8.count) }

    private static func filler(_ place: String, _ version: Int, _ size: Int) -> String {
        let word = "\(place)#\(version)/\(size)."
        return String(String(repeating: word, count: size / word.utf8.count + 1).prefix(size))
    }

    /// Most values are small, some fill pages, and some have a file of their own.
    static func size(of version: Int) -> Int {
        let lot = PantryList.mix(version)
        return switch lot % 10 {
        case 0...5: 100 + lot / 10 % 400
        case 6...7: 2000 + lot / 10 % 20_000
        default: 70_000 + lot / 10 % 60_000
        }
    }
}
