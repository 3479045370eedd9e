/// Puts payloads together from the chains of their overflow pages.
///
/// A page can belong to one chain alone. Where damage makes several lead to it, all of them are followed, since nothing says
/// whose it is, but not for ever.
struct OverflowReader {
    private let source: PageSource
    private var used: Set<UInt32> = []
    private var repeatsLeft: Int

    init(_ source: PageSource) {
        self.source = source
        repeatsLeft = source.greatestCount * 4 + 1024
    }

    /// The payload in one piece, or `nil` when its chain is short, leads nowhere or does not end with it.
    mutating func payload(_ payload: TreeCell.Payload, in page: TreePage) -> RawBytes? {
        // A chain cannot be longer than the file.
        guard let local = page.bytes.slice(payload.local), payload.size / source.usable <= source.greatestCount else {
            return nil
        }
        guard var next = payload.overflow else { return RawBytes(Array(local)) }
        var bytes = Array(local)
        while bytes.count < payload.size {
            guard let part = source.page(next), use(next), let following = part.uint32(0),
                let content = part.slice(4..<min(source.usable, 4 + payload.size - bytes.count))
            else { return nil }
            bytes += content
            next = following
        }
        return next == 0 ? RawBytes(bytes) : nil
    }

    private mutating func use(_ page: UInt32) -> Bool {
        if used.insert(page).inserted { return true }
        repeatsLeft -= 1
        return repeatsLeft >= 0
    }
}
