import Testing

@testable import LarderServer

@Suite struct SystemLibrariesTests {
    @Test func aMissingLibraryIsNamedWithItsPackage() {
        let missing = MissingLibrary(name: "libmicrohttpd.so.12", package: "libmicrohttpd12")
        for text in [missing.description, HTTPServerError(port: 0, missing).description] {
            #expect(text.contains("libmicrohttpd.so.12"))
            #expect(text.contains("package libmicrohttpd12 "))
        }
    }

    @Test func whatIsThereIsLoaded() throws {
        try SystemLibraries.curl.get()
        try SystemLibraries.microHTTPD.get()
    }
}
