import Foundation
import LarderKit
import LarderTestKit

/// A cache at a certain state, for one write to be tried on it: a few values and lists, whose servers are at a certain state
/// as well.
struct FaultScene: Sendable {
    let larder: Larder
    let pantry: Pantry
    let clock: ManualClock

    /// Time stands still, so that what a run leaves depends on nothing but what failed.
    init(
        _ folder: URL, on disk: any DiskAccess = SystemDisk(), options: LarderOptions = LarderOptions(),
        totals: [PantryFeed: Int] = [:]
    ) throws {
        clock = ManualClock()
        let environment = LarderEnvironment(
            clock: clock, connectivity: ManualConnectivity(), random: SeededRandom(), disk: disk)
        larder = try Larder(.folder(folder), options: options, environment: environment)
        pantry = Pantry(larder, totals: totals)
    }

    var anna: Partition { larder.partition("anna") }

    static func place(_ key: String, of partition: String = "anna") -> PantryPlace {
        PantryPlace(partition: partition, key: key, isInFile: key.hasPrefix("file/"))
    }

    /// Fetches and stores a version of a value.
    func fetch(_ place: PantryPlace, version: Int) async throws -> FaultCase.Claim {
        let reading = try await pantry.resource(place, version: version).read(.networkOnly)
        return reading.warnings.isEmpty ? .done : .refused
    }

    func store(_ place: PantryPlace, version: Int) async throws {
        try await pantry.resource(place).store(
            Sample("\(place)", version: version, size: Sample.size(of: version)))
    }

    /// What every case begins with: values of each kind in two accounts, and lists with gaps.
    func stock() async throws {
        for partition in ["anna", "bob"] {
            for (index, key) in ["db/0", "db/1", "db/2", "file/0", "file/1"].enumerated() {
                let version = key == "db/1" ? FaultVersion.large(0) : FaultVersion.small(index)
                try await store(Self.place(key, of: partition), version: version)
            }
        }
        for spec in PantryFeed.allCases {
            let feed = pantry.feed(spec)
            pantry.grow(spec, to: 30)
            _ = try await feed.refresh(limit: 6)
            _ = try await feed.loadOlder(limit: 4)
            pantry.grow(spec, to: 50)
            // It leaves a gap: not all that is new is shown.
            _ = try await feed.refresh(limit: 5)
            pantry.grow(spec, to: 53)
        }
        await larder.settle()
    }

    /// What the servers have when a case begins.
    static var totals: [PantryFeed: Int] {
        Dictionary(uniqueKeysWithValues: PantryFeed.allCases.map { ($0, 53) })
    }
}

/// Versions by their size.
enum FaultVersion {
    /// The values below come before those that a case stores.
    static func small(_ index: Int) -> Int { version(index) { $0 < 600 } }
    static func large(_ index: Int) -> Int { version(index) { $0 > 65_000 } }

    private static func version(_ index: Int, _ isMeant: (Int) -> Bool) -> Int {
        (1...1000).filter { isMeant(Sample.size(of: $0)) }[index]
    }
}
