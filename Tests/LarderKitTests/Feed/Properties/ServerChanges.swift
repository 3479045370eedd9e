import LarderTestKit

@testable import LarderKit

/// Something that happens to a server's list. Numbers pick among what there is then.
enum ServerChange: Sendable, Hashable {
    case insert(Int)
    case delete(Int)
    case edit(Int)
    case move(Int, to: Int)
    case hide(Int)
}

/// Changes a server's list, and remembers what the checks of its reader need to know of that.
struct ServerChanges: Sendable {
    let server: SimulatedFeedServer
    /// Items that keep their places on the server and are not shown.
    private(set) var hidden: Set<ItemID> = []
    private(set) var moved: Set<ItemID> = []
    private var inserted = 0

    var hasMoved: Bool { !moved.isEmpty }

    init(_ server: SimulatedFeedServer) {
        self.server = server
    }

    /// - Returns: What has happened, `nil` for nothing: hidden entries take places too.
    mutating func take(_ change: ServerChange) -> String? {
        let ids = server.ids
        func id(_ number: Int) -> ItemID { ids[number % ids.count] }
        do {
            switch change {
            case .insert(let number):
                return try insert(number, ids)
            case .delete(let number) where !ids.isEmpty:
                return "v\(try server.delete(id(number))): without \(id(number))"
            case .edit(let number) where !ids.isEmpty:
                let version = try server.edit(id(number), text: "text of \(server.version + 1)")
                return "v\(version): \(id(number)) edited"
            case .move(let number, let place) where !ids.isEmpty:
                let place = server.order == .ranked ? place % ids.count : 0
                let version =
                    server.order == .ranked
                    ? try server.move(id(number), to: place) : try server.bump(id(number))
                moved.insert(id(number))
                return "v\(version): \(id(number)) moved to \(place)"
            case .hide(let number) where !ids.isEmpty:
                let version = try server.hide(id(number))
                hidden.insert(id(number))
                return "v\(version): \(id(number)) hidden"
            case .delete, .edit, .move, .hide:
                return nil
            }
        } catch {
            return nil
        }
    }

    private mutating func insert(_ number: Int, _ ids: [ItemID]) throws -> String {
        switch server.order {
        case .decimal, .text:
            let pool = server.order == .decimal ? Self.decimalIDs : Self.textIDs
            let id = pool[number % pool.count]
            return "v\(try server.insert(id)): with \(id)"
        case .newestOnTop, .ranked:
            inserted += 1
            let id = ItemID("i\(inserted)")
            guard server.order == .ranked else { return "v\(try server.insert(id)): with \(id) on top" }
            let place = number % (ids.count + 1)
            return "v\(try server.insert(id, at: place)): with \(id) at \(place)"
        }
    }

    /// Numbers on both sides of every change of length or of form.
    private static let decimalIDs: [ItemID] =
        [0, 1, 2, 8, 9, 10, 11].map { ItemID($0) } + (90...110).map { ItemID($0) }
        + (0...4).map { ItemID(UInt64(Int64.max) - 2 + $0) } + [ItemID(UInt64.max)]
        + ["99999999999999999999999999999999999999999", "100000000000000000000000000000000000000000"]

    private static let textIDs: [ItemID] =
        ["", "\0", "\0\0", "A", "a", "a\0", "a\0\u{1}", "aa", "ab", "e\u{301}", "é", "ÿ", "\u{10FFFF}", "z"]
        + (0..<20).map { ItemID("k\($0)") }
}
