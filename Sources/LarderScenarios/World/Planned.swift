import Foundation
import LarderKit

/// What cases ask of the library and it does not have yet. Each is one place to fill in, and fails its case until then.
enum Planned {
    private static func missing(_ what: String) -> CaseFailure { CaseFailure("\(what) is not there yet") }

    /// Everything whose key begins with `prefix`.
    static func invalidate(_ prefix: String, in partition: Partition) async throws {
        throw missing("invalidation")
    }

    static func connectivity(of larder: Larder) throws -> Connectivity {
        throw missing("connectivity by evidence")
    }

    static func connectivityStates(of larder: Larder) throws -> AsyncStream<Connectivity> {
        throw missing("connectivity by evidence")
    }
}
