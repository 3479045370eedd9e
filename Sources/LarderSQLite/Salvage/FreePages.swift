/// Which pages hold nothing any more, as far as that can be told for sure.
///
/// A page that was freed may still hold the rows that were removed with it: rows may only be taken from a page that is known
/// not to be free.
struct FreePages: Sendable {
    /// All pages of the freelist; `nil` when it cannot be followed to its end.
    let listed: Set<UInt32>?
    let map: PointerMap?

    init(_ source: PageSource, header: DatabaseHeader?) {
        listed = header.flatMap { Self.walk(source, $0) }
        map = PointerMap(source, header: header)
    }

    static let unknown = FreePages(listed: nil, map: nil)

    /// Whether anything is known at all.
    var areKnown: Bool { listed != nil || map != nil }

    /// Whether a page is known to be one of a b-tree now.
    func isLive(_ page: UInt32) -> Bool {
        if let listed, listed.contains(page) { return false }
        return map?.isOfTree(page) ?? (listed != nil)
    }

    /// Whether a page is known to be none of a b-tree now.
    func isKnownFree(_ page: UInt32) -> Bool {
        listed?.contains(page) ?? false || map?.isFree(page) ?? false
    }

    /// The same without a list that names pages which trees lead to: it is not to be believed then.
    func listing(noneOf met: Set<UInt32>) -> FreePages {
        listed?.isDisjoint(with: met) ?? true ? self : FreePages(listed: nil, map: map)
    }

    private init(listed: Set<UInt32>?, map: PointerMap?) {
        self.listed = listed
        self.map = map
    }

    /// <https://www.sqlite.org/fileformat2.html#the_freelist>
    private static func walk(_ source: PageSource, _ header: DatabaseHeader) -> Set<UInt32>? {
        guard header.isPlausible, header.freelistCount < source.pageCount else { return nil }
        var pages: Set<UInt32> = []
        var next = header.freelistHead
        while next != 0 {
            guard isFree(next), pages.insert(next).inserted, let trunk = source.page(next),
                let count = trunk.uint32(4), count <= UInt32(source.usable / 4 - 2)
            else { return nil }
            for index in 0..<Int(count) {
                guard let leaf = trunk.uint32(8 + 4 * index), isFree(leaf), pages.insert(leaf).inserted else {
                    return nil
                }
            }
            next = trunk.uint32(0) ?? 0
        }
        return pages.count == Int(clamping: header.freelistCount) ? pages : nil

        func isFree(_ page: UInt32) -> Bool { page > 1 && page <= source.pageCount }
    }
}
