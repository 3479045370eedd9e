/// A shop of the sample document.
struct SampleShop: Encodable, Hashable {
    let id: String
    let name: String
    let street: String
    let sells: [String]
    let opens: String
    let closes: String

    /// All of them. Each revision gives one shop other hours, in turn.
    static func all(revision: Int) -> [SampleShop] {
        names.indices.map { index in
            let hours = 8 + index % 3 + changes(of: index, by: revision) % 4
            return SampleShop(
                id: String(index + 1), name: names[index], street: streets[index % streets.count],
                sells: (0..<3).map { SampleWords.foods[(index * 3 + $0) % SampleWords.foods.count] },
                opens: "\(hours < 10 ? "0" : "")\(hours):00", closes: "\(hours + 8):30")
        }
    }

    private static func changes(of index: Int, by revision: Int) -> Int {
        revision / names.count + (index < revision % names.count ? 1 : 0)
    }

    static let names = [
        "Old Mill Bakery", "Corner Dairy", "Harbour Fish", "Green Crate", "Three Hens", "The Pickle Jar",
        "Northgate Butcher", "Salt and Rye", "Plum Street Grocer", "The Cheese Cellar", "Bean and Leaf",
        "Winter Stores",
    ]

    private static let streets = ["Mill Lane", "Quay Street", "Plum Street", "Northgate", "Market Square"]
}

/// What samples are made of.
enum SampleWords {
    static let authors: [(id: String, name: String)] = [
        ("11", "Alma"), ("12", "Bertil"), ("13", "Chidi"), ("14", "Dagny"), ("15", "Émile"), ("16", "Farida"),
        ("17", "Goro"), ("18", "Hanne"),
    ]

    static let foods = [
        "sourdough", "pickled herring", "plum jam", "smoked cheese", "oat biscuits", "dried apples", "barley soup",
        "black tea", "rye crackers", "honey", "salted butter", "quince paste", "bean stew", "chestnuts", "cider",
    ]

    static let opinions = [
        "was worth the walk", "kept better than I thought", "could do with more salt", "went in a day",
        "is what I came for", "tastes of the summer before last", "needs another week",
        "surprised everyone at the table",
    ]
}
