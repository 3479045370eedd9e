import LarderSQLite

/// Whose data goes into a snapshot. That of an account goes only where it is named.
public struct SnapshotPartitions: Sendable {
    /// Empty for what is common.
    let names: [String]

    /// What belongs to nobody in particular.
    public static let common = SnapshotPartitions(names: [""])

    /// These accounts, and nothing else. The empty name is what is common.
    public static func named(_ names: String...) -> SnapshotPartitions { SnapshotPartitions(names: names) }

    /// These accounts, and nothing else. The empty name is what is common.
    public static func named(_ names: [String]) -> SnapshotPartitions { SnapshotPartitions(names: names) }

    func contains(_ partition: String) -> Bool { names.contains { $0.hasSameBytes(as: partition) } }
}
