/// All data of one account, or of nobody in particular (``Larder/common``). Nothing crosses from one to another.
///
/// Handles are cheap values: resources and feeds are made from it where they are needed, and two of one key share what
/// is stored and what is under way. After ``signOut()`` handles made before throw ``LarderError/signedOut``.
public struct Partition: Sendable {
    let core: LarderCore
    let state: PartitionState

    init(core: LarderCore, name: String) {
        self.core = core
        state = core.partitionState(of: name)
    }

    init(core: LarderCore, state: PartitionState) {
        self.core = core
        self.state = state
    }

    /// Empty for what is common.
    public var name: String { state.name }

    func key(_ key: String) -> StoreKey {
        StoreKey(partition: name, key: key)
    }
}
