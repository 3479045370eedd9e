import Foundation
import LarderKit

/// What cases ask of the library and it does not have yet. Each is one place to fill in, and fails its case until then.
enum Planned {
    private static func missing(_ what: String) -> CaseFailure { CaseFailure("\(what) is not there yet") }

    /// What a resource is told of the server's word: a case of the typed store takes it for advice, any other obeys it.
    static func options(obeysServer: Bool) -> ResourceOptions { ResourceOptions() }

    static func signOut(_ partition: Partition) async throws {
        throw missing("signing out")
    }

    static func store(_ body: Data, in resource: Resource<Data>) async throws {
        throw missing("storing what the app itself has changed")
    }

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

    /// How long to wait before the request after the one numbered `attempt`, which failed; `nil` for giving up.
    static func delay(
        after failure: FetchFailure, attempt: Int, cap: Duration, random: any RandomSource
    ) throws -> Duration? {
        throw missing("retrying")
    }
}
