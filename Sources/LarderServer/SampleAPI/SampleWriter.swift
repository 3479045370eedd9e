import Foundation

/// Writes invented posts, the same for the same seed.
struct SampleWriter {
    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(state: seed)
    }

    mutating func chance(below bound: UInt64) -> UInt64 {
        generator.next() % max(bound, 1)
    }

    /// One post as JSON, about 300 to 1,500 bytes.
    mutating func post(id: UInt64, milliseconds: UInt64) -> Data {
        let author = SampleWords.authors[index(in: SampleWords.authors)]
        let shop = SampleShop.all(revision: 0)[index(in: SampleShop.names)]
        // Each form of sentence in turn, so that none follows itself.
        let form = chance(below: 6)
        let sentences = (0...chance(below: 11)).map { sentence(form: form + $0, about: shop) }
        return SampleJSON.encode(
            Post(
                id: String(id), createdAt: Self.timestamp(milliseconds),
                author: Author(id: author.id, name: author.name, handle: "@" + author.name.lowercased()),
                text: sentences.joined(separator: " "), shopId: shop.id,
                repliesCount: Int(chance(below: 20)), boostsCount: Int(chance(below: 200)),
                favouritesCount: Int(chance(below: 1000)), language: "en"))
    }

    private mutating func sentence(form: UInt64, about shop: SampleShop) -> String {
        let food = SampleWords.foods[index(in: SampleWords.foods)]
        let opinion = SampleWords.opinions[index(in: SampleWords.opinions)]
        return switch form % 6 {
        case 0: "The \(food) at \(shop.name) \(opinion)."
        case 1: "\(shop.name) was closed, so it is \(food) from the larder tonight."
        case 2: "Has anyone tried the \(food) in \(shop.street)? Mine \(opinion) ☕️"
        case 3: "I put away some \(food) for the winter, and it \(opinion)."
        case 4: "Note to self: \(food), twice as much next time."
        default: "They say \(shop.name) has \(food) again from \(shop.opens) on."
        }
    }

    private mutating func index(in list: [some Any]) -> Int {
        Int(chance(below: UInt64(list.count)))
    }

    private static func timestamp(_ milliseconds: UInt64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private struct Post: Encodable {
        let id: String
        let createdAt: String
        let author: Author
        let text: String
        let shopId: String
        let repliesCount: Int
        let boostsCount: Int
        let favouritesCount: Int
        let language: String
    }

    private struct Author: Encodable {
        let id: String
        let name: String
        let handle: String
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same on every platform.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
