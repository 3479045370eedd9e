/// What looking at every byte of a cache has shown: ``LarderRepair/verify(folder:isQuick:disk:progress:)``.
public struct VerificationReport: Sendable {
    /// One thing that is not as it should be.
    public struct Finding: Sendable, Hashable {
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The file is no database, or the first of its pages is damaged.
            case header
            /// Pages, indexes or tables of the database do not fit together.
            case structure
            /// A row does not fit its checksum, or names a codec or feed that is not listed.
            case row
            /// The file of a large value is missing, cut or changed.
            case blob
            /// What is proven of a feed contradicts itself.
            case proof
            /// A file of ``FileStore`` is cut or changed.
            case file
            /// Nothing is wrong: something is left over, or not used.
            case note
        }

        public let kind: Kind
        /// The table of the cache file, if it is about a row.
        public var table: String?
        /// The account, the key of a value and the name of a feed, where they are known. Private: not for logs.
        public var partition: String?
        public var key: String?
        public var feed: String?
        /// In words, with nothing private in them.
        public let explanation: String

        init(
            _ kind: Kind, _ explanation: String, table: String? = nil, partition: String? = nil, key: String? = nil,
            feed: String? = nil
        ) {
            self.kind = kind
            self.explanation = explanation
            self.table = table
            self.partition = partition
            self.key = key
            self.feed = feed
        }

        public var isDamage: Bool { kind != .note }
    }

    /// The first thousand.
    public private(set) var findings: [Finding] = []
    /// How many there are of each kind.
    public private(set) var counts: [Finding.Kind: Int] = [:]
    /// What was looked at.
    public var rows = 0
    public var feeds = 0
    public var blobs = 0
    public var files = 0
    /// The bytes of the database, its log, blobs and files that were read.
    public var bytes = 0
    /// The cache file is missing or empty: a cache that holds nothing.
    public var isEmpty = false
    /// Only the structure of the database was looked at.
    public var isQuick = false

    init() {}

    /// Whether everything that was looked at is as it was stored.
    public var isSound: Bool { counts.allSatisfy { kind, count in kind == .note || count == 0 } }

    mutating func add(_ finding: Finding) {
        counts[finding.kind, default: 0] += 1
        if findings.count < 1000 { findings.append(finding) }
    }

    /// Whether the database has to be built anew, rather than some of its rows removed.
    var isStructureDamaged: Bool { counts[.header, default: 0] + counts[.structure, default: 0] > 0 }
}

extension VerificationReport.Finding: CustomStringConvertible {
    public var description: String {
        let place = [table, partition.map { $0.isEmpty ? "common" : $0 }, feed, key].compactMap { $0 }
        return place.isEmpty ? explanation : "\(place.joined(separator: " ")): \(explanation)"
    }
}
