import Foundation
import LarderKit

/// The partition of an account that is known by its credentials alone.
enum CredentialPartition {
    /// A name that the same credentials always have, in whatever order and spelling of their names they are sent, and others
    /// do not. The credentials themselves cannot be read from it. Empty, which is no account's, when there are none.
    ///
    /// - Throws: ``UsageError`` where the system computes no digest: the account has to be named then.
    static func name(for credentials: [HeaderFields.Field]) throws(UsageError) -> String {
        guard !credentials.isEmpty else { return "" }
        let lines = credentials.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
        guard let digest = SHA256Digest.hex(of: Data(lines.joined(separator: "\n").utf8)) else {
            throw UsageError("this system computes no SHA-256 to tell accounts apart by: name one with --partition")
        }
        return "credentials-" + digest.prefix(16)
    }
}
