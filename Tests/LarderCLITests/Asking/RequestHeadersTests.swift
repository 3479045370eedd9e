import LarderKit
import Testing

@testable import LarderCLI

@Suite struct RequestHeadersTests {
    @Test func fieldsAreTakenInOrderWithRepeats() throws {
        let headers = try RequestHeaders(["Accept:a/b", "X-One:\t 1", "x-one: 2: 3"])
        #expect(
            headers.fields.fields == [
                .init(name: "Accept", value: "a/b"), .init(name: "X-One", value: "1"),
                .init(name: "x-one", value: "2: 3"),
            ])
        #expect(headers.credentials.isEmpty)
    }

    @Test(
        arguments: [
            "s3cr3t", ": s3cr3t", "Not A Name: s3cr3t", "X-One:", "X-One: a\r\nX-Two: s3cr3t", "X-One: s3cr3t\u{7F}",
            "If-None-Match: s3cr3t", "range: s3cr3t", "Content-Length: 3",
        ])
    func whatCannotBeSentIsRefusedWithoutRepeatingIt(line: String) {
        let error = #expect(throws: UsageError.self) { try RequestHeaders([line]) }
        #expect(error?.description.contains("s3cr3t") == false)
    }

    @Test(
        arguments: [
            "Authorization", "authorization", "Cookie", "Proxy-Authorization", "X-Api-Key", "X-ApiKey", "apikey",
            "Private-Token", "X-Auth-Token", "X-Amz-Security-Token", "X-Access-Key", "X-Session-Id", "X_JWT",
        ])
    func whatIdentifiesAnAccountIsKnown(name: String) throws {
        #expect(try !RequestHeaders(["\(name): x"]).credentials.isEmpty)
    }

    @Test(arguments: ["Accept", "Accept-Language", "User-Agent", "X-Request-Id", "X-Author", "X-Keyboard"])
    func whatIdentifiesNobodyIsKnown(name: String) throws {
        #expect(try RequestHeaders(["\(name): x"]).credentials.isEmpty)
    }
}
