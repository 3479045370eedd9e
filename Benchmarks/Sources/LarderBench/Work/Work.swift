/// A group of figures that can be asked for by name.
protocol Work: SendableMetatype {
    static var name: String { get }
    static var summary: String { get }

    init(bench: Bench)
    func run() async throws
}

enum Works {
    static let all: [any Work.Type] = [
        // First: memory that another work has given back to the process would hide growth.
        MemoryWork.self, ReadWork.self, DecodeWork.self, UpsertWork.self, BulkWork.self, KeyWork.self, OpenWork.self,
        DiskWork.self, TrafficWork.self, GapWork.self, TimelineWork.self, HitWork.self, LargeWork.self,
        EvictionWork.self, VerifyWork.self,
    ]
}
