/// The connections of one loop, by an id that is not used again when a descriptor is.
struct ConnectionTable {
    private var slots: [Connection?] = []
    private var free: [Int] = []
    private var generation: UInt64 = 0
    private(set) var count = 0

    var all: [Connection] { slots.compactMap(\.self) }
    var isEmpty: Bool { count == 0 }

    subscript(id: UInt64) -> Connection? {
        let slot = Int(id & 0xFFFF_FFFF)
        guard slot < slots.count, let connection = slots[slot], connection.id == id else { return nil }
        return connection
    }

    /// - Parameter make: Given the id.
    mutating func insert(_ make: (UInt64) -> Connection) -> Connection {
        if free.isEmpty {
            free.append(slots.count)
            slots.append(nil)
        }
        let slot = free.removeLast()
        // Ids near the largest number stand for other things.
        generation = (generation + 1) & 0x7FFF_FFFF
        let connection = make(generation << 32 | UInt64(slot))
        slots[slot] = connection
        count += 1
        return connection
    }

    mutating func remove(_ connection: Connection) {
        guard self[connection.id] != nil else { return }
        let slot = Int(connection.id & 0xFFFF_FFFF)
        slots[slot] = nil
        free.append(slot)
        count -= 1
    }
}
