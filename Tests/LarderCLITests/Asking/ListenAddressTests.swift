import LarderServer
import Testing

@testable import LarderCLI

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8080), ("8080", "127.0.0.1", 8080), ("localhost:0", "127.0.0.1", 0),
        ("[::1]:81", "::1", 81), ("0.0.0.0:65535", "0.0.0.0", 65_535),
    ])
    func anAddressAndAPortAreTaken(text: String, address: String, port: UInt16) throws {
        let listen = try ListenAddress(text)
        #expect(listen.address == address && listen.port == port)
        #expect(listen.options.address == address && listen.options.port == port)
    }

    @Test(arguments: ["", ":8080", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:http", "nowhere"])
    func whatIsNoneIsRefused(text: String) {
        #expect(throws: UsageError.self) { try ListenAddress(text) }
    }
}
