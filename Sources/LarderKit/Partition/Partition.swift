/// All data of one account, or of nobody in particular (``Larder/common``). Nothing crosses from one to another.
///
/// Handles are cheap values: resources and feeds are made from it where they are needed, and two of one key share what
/// is stored and what is under way.
public struct Partition: Sendable {
    let core: LarderCore
    /// Empty for what is common.
    public let name: String

    func key(_ key: String) -> StoreKey {
        StoreKey(partition: name, key: key)
    }
}
