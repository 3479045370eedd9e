import Foundation
import LarderKit
import Testing

@testable import LarderCLI

@Suite struct CredentialPartitionTests {
    private func name(_ lines: String...) throws -> String {
        try CredentialPartition.name(for: RequestHeaders(lines).credentials)
    }

    @Test func theSameCredentialsHaveOnePartitionHoweverTheyAreWritten() throws {
        let name = try name("Authorization: Bearer x", "Cookie: a=1")
        #expect(try self.name("cookie:a=1", "AUTHORIZATION: Bearer x", "Accept: text/plain") == name)
        #expect(name.wholeMatch(of: /credentials-[0-9a-f]{16}/) != nil)
    }

    @Test func otherCredentialsHaveAnother() throws {
        let names = try [
            name("Authorization: Bearer x"), name("Authorization: Bearer y"), name("Authorization: bearer x"),
            name("Cookie: Bearer x"), name("Authorization: Bearer x", "Cookie: a=1"),
        ]
        #expect(Set(names).count == names.count)
    }

    @Test func withoutCredentialsThereIsNone() throws {
        #expect(try name("Accept: text/plain").isEmpty)
    }

    /// The first example of FIPS 180-4, and the digest of nothing.
    @Test func theDigestIsThatOfTheStandard() {
        #expect(
            SHA256Digest.hex(of: Data("abc".utf8))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            SHA256Digest.hex(of: Data())
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }
}
