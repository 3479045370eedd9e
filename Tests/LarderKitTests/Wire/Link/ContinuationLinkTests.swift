import Foundation
import LarderKit
import Testing

@Suite("Links to further pages")
struct ContinuationLinkTests {
    private static let page = "https://api.example.test/t"

    private func resolve(_ reference: String, against page: String = page) throws -> URL {
        try ContinuationLink.resolve(reference, against: #require(URL(string: page)))
    }

    private func refusal(_ reference: String, against page: String = page) -> LinkRefusal? {
        #expect(throws: LinkRefusal.self, "\(reference.debugDescription)") {
            try resolve(reference, against: page)
        }
    }

    @Test(
        "A link to the page's own origin is resolved",
        arguments: [
            ("https://api.example.test/t?c=1", "https://api.example.test/t?c=1"),
            ("?c=1", "https://api.example.test/t?c=1"),
            ("/t?c=1", "https://api.example.test/t?c=1"),
            ("//api.example.test/t?c=1", "https://api.example.test/t?c=1"),
            ("HTTPS://API.example.test:443/t?c=1", "HTTPS://API.example.test:443/t?c=1"),
            ("https://api.example.test:/t?c=1", "https://api.example.test:/t?c=1"),
            ("https://api.example.test?c=1", "https://api.example.test?c=1"), ("u", "https://api.example.test/u"),
            ("./a:b", "https://api.example.test/a:b"), ("?", "https://api.example.test/t?"),
            // An at sign or another address behind the authority is only text.
            ("?to=x@evil.example", "https://api.example.test/t?to=x@evil.example"),
            ("https://api.example.test?@evil.example/", "https://api.example.test?@evil.example/"),
            ("/@evil.example/", "https://api.example.test/@evil.example/"),
            ("/..//evil.example/t", "https://api.example.test//evil.example/t"),
            ("?next=https://evil.example/", "https://api.example.test/t?next=https://evil.example/"),
            // What is never sent is left out.
            ("?c=1#part", "https://api.example.test/t?c=1"),
            ("https://api.example.test#@evil.example/", "https://api.example.test"),
            // Escapes stay as they are, also beside what has to be escaped.
            ("?c=a%2Fb%3d%3D", "https://api.example.test/t?c=a%2Fb%3d%3D"),
            ("?page[after]=a%2Fb%3D", "https://api.example.test/t?page%5Bafter%5D=a%2Fb%3D"),
            ("?q={\"a\":\"<|>^`\"}&r=%20", "https://api.example.test/t?q=%7B%22a%22:%22%3C%7C%3E%5E%60%22%7D&r=%20"),
            ("/ü%20/?q=ü", "https://api.example.test/%C3%BC%20/?q=%C3%BC"),
            ("?q=100%&r=%2&s=%zz&t=%20&u=%", "https://api.example.test/t?q=100%25&r=%252&s=%25zz&t=%20&u=%25"),
            ("/%2e%2e/%5C?%00%0D%0A", "https://api.example.test/%2e%2e/%5C?%00%0D%0A"),
            ("?a=!$&'()*+,;=:@/?-._~", "https://api.example.test/t?a=!$&'()*+,;=:@/?-._~"),
        ])
    func follows(reference: String, expected: String) throws {
        let url = try resolve(reference)
        #expect(url.absoluteString == expected)
        #expect(url.baseURL == nil)
        // What is stored and read back is the same.
        #expect(URL(string: expected)?.absoluteString == expected)
        #expect(try resolve(expected) == url)
    }

    @Test(
        "References are resolved as in RFC 3986 section 5.4, wherever they stay on the origin",
        arguments: [
            ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
            ("g?y", "/b/c/g?y"),
            ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"), (";x", "/b/c/;x"), ("g;x", "/b/c/g;x"), ("g;x?y#s", "/b/c/g;x?y"),
            (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"),
            ("../../", "/"),
            ("../../g", "/g"), ("../../../g", "/g"), ("../../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"),
            ("g.", "/b/c/g."), (".g", "/b/c/.g"), ("g..", "/b/c/g.."), ("..g", "/b/c/..g"), ("./../g", "/b/g"),
            ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"), ("g;x=1/./y", "/b/c/g;x=1/y"),
            ("g;x=1/../y", "/b/c/y"), ("g?y/./x", "/b/c/g?y/./x"), ("g?y/../x", "/b/c/g?y/../x"),
            ("g#s/../x", "/b/c/g"),
        ])
    func resolution(reference: String, expected: String) throws {
        #expect(try resolve(reference, against: "http://a/b/c/d;p?q#f").absoluteString == "http://a" + expected)
    }

    @Test(
        "Pages of every kind of address lead on",
        arguments: [
            ("http://127.0.0.1:8080/t?c=0", "http://127.0.0.1:8080/t?c=1"),
            ("http://[::1]:8080/t", "http://[::1]:8080/t?c=1"),
            ("https://api.example.test", "https://api.example.test?c=1"), ("https://a/t?c=0#f", "https://a/t?c=1"),
            ("https://bücher.example/ä", "https://xn--bcher-kva.example/%C3%A4?c=1"), ("HTTP://A/t", "HTTP://A/t?c=1"),
        ])
    func pages(page: String, expected: String) throws {
        #expect(try resolve("?c=1", against: page).absoluteString == expected)
        #expect(try resolve(expected, against: page).absoluteString == expected)
        let base = try #require(URL(string: page))
        let relative = try #require(URL(string: "?c=0", relativeTo: base))
        #expect(try ContinuationLink.resolve("?c=1", against: relative).absoluteString == expected)
    }

    @Test(
        "A link elsewhere is refused, and the refusal names where it leads",
        arguments: [
            ("http://api.example.test/t?c=1", "http://api.example.test"),
            ("https://evil.example/t", "https://evil.example"),
            ("https://api.example.test:444/t", "https://api.example.test:444"),
            ("//evil.example/t", "https://evil.example"),
            ("https://api.example.test:80/t", "https://api.example.test:80"),
            ("http://api.example.test:443/t", "http://api.example.test:443"),
            ("//EVIL.example:443", "https://evil.example"),
            ("https://api.example.test./t", "https://api.example.test."),
            ("https://example.test/t", "https://example.test"),
            ("https://api.example.test.evil.example/", "https://api.example.test.evil.example"),
            ("https://xn--pi-7kc.example.test/", "https://xn--pi-7kc.example.test"), ("//[::1]/t", "https://[::1]"),
        ])
    func elsewhere(reference: String, origin: String) throws {
        let refusal = try #require(self.refusal(reference))
        guard case .otherOrigin(let other, let page) = refusal else {
            Issue.record("\(refusal)")
            return
        }
        #expect(other.description == origin)
        #expect(page.description == "https://api.example.test")
        #expect("\(refusal)".contains("leads to \(origin) "))
    }

    @Test(
        "A link that hides who is asked is refused",
        arguments: [
            "https://api.example.test@evil.example/steal", "https://user@api.example.test/t",
            "//user:word@api.example.test/t",
            "https://@api.example.test/t", "https://:@api.example.test/t", "https://api.example.test:443@evil.example/",
            "https://evil.example%2F@api.example.test/", "//api.example.test:@evil.example",
        ])
    func userInfo(reference: String) {
        #expect(refusal(reference) == .userInfo)
    }

    @Test(
        "Characters that readers of URLs drop or take for others are refused, wherever they stand",
        arguments: [
            "\\", "\t", "\n", "\r", "\r\n", "\0", "\u{1B}", "\u{7F}", "\u{85}", " ", "\u{A0}", "\u{AD}", "\u{1680}",
            "\u{2003}",
            "\u{200B}", "\u{200D}", "\u{2028}", "\u{2029}", "\u{202E}", "\u{2060}", "\u{3000}", "\u{FEFF}", "\u{E0041}",
            "\u{FFFD}",
        ])
    func characters(character: String) {
        for reference in [
            "/\(character)evil.example/t", "\(character)\(character)evil.example/t",
            "https:\(character)/api.example.test/t",
            "ht\(character)tps://evil.example/", "https://api.example.test\(character)/t", "?c=1\(character)",
            "//api.example.test\(character)@evil.example/", "\(character)?c=1", "#\(character)", character,
            "?c=e\u{301}\(character)\u{301}",
        ] {
            #expect(refusal(reference) == .unfitCharacter, "\(reference.debugDescription)")
        }
    }

    @Test(
        "What has no origin that everyone reads in the same way is refused",
        arguments: [
            "https:/evil.example/t", "https:evil.example", "https:?c=1", "https:t", "https:///evil.example/t",
            "https://", "//",
            "///evil.example/t", "////evil.example/t", "//?c=1", "://evil.example/", "javascript:alert(1)",
            "mailto:a@b",
            "file:///etc/passwd", "ftp://api.example.test/t", "c:1", "data:,x", "httpss://api.example.test/t",
            "https://api%2Eexample%2Etest/t", "https://%61pi.example.test/t",
            "https://api.example.test%2Fevil.example/t",
            "https://api.example.test%00/t", "https://api.example.test%5C/t", "https://api.example.test;evil/t",
            "//[api.example.test]/t", "https://[v1.x]/t", "https://[::1%25eth0]/t", "https://api.example.test:0/t",
            "https://api.example.test:65979/t", "https://api.example.test:99999999999999999999/t",
            "https://api.example.test:18446744073709552059/t",
        ])
    func noOrigin(reference: String) {
        #expect(refusal(reference) == .noOrigin)
    }

    @Test(
        "What is no URL reference is refused",
        arguments: [
            "", "#", "#part", "https://api.example.test:-1/t", "https://api.example.test:+443/t",
            "https://api.example.test:x/t",
            "https://api.example.test:443:443/t", "https://api.example.test:%34%34%33/t",
            "https://api.example.test:44３/t",
            "1a:b", "a|b:c", "h[]://x", "//api.example.test|/t", "//api.example.test<x>/t", "https://[::1/t",
            "https://::1/t",
            // Foundation takes some of these for the page's own host.
            "https://аpi.example.test/t", "https://ａpi.example.test/t", "https://api。example.test/t", "https://①.test/",
            "//bücher.example/t", "http\u{17F}://api.example.test/t",
        ])
    func notAURL(reference: String) {
        #expect(refusal(reference) == .notAURL)
    }

    @Test(
        "A page that is itself no plain address leads nowhere, not even to itself",
        arguments: [
            "https://user:word@api.example.test/t", "https://user@api.example.test/t", "file:///t", "/t", "https:///t",
            "ftp://api.example.test/t", "https://api.example.test:0/t",
        ])
    func pageWithoutOrigin(page: String) {
        for reference in ["?c=1", page, "https://api.example.test/t?c=1"] {
            #expect(refusal(reference, against: page) == .pageHasNoOrigin)
        }
    }

    @Test("No refusal tells a path, a query, a user name or a password")
    func secrets() {
        for reference in [
            "https://evil.example/secret?token=secret#secret", "https://secret:secret@api.example.test/?secret",
            "/\\secret?secret", "ftp://secret/secret", "https://secret%2E/?secret", "secret|:secret",
            "//é.secret/?secret",
        ] {
            for page in ["https://api.example.test/t/secret?secret", "https://secret@api.example.test/secret"] {
                let refusal = self.refusal(reference, against: page)
                #expect(refusal.map { "\($0)".contains("secret") } == false, "\(reference)")
                #expect(refusal.map { String(reflecting: $0).contains("token") } == false, "\(reference)")
            }
        }
    }

    @Test(
        "A hostile reference of a megabyte is judged in one go",
        arguments: ["%", "../", "[", "ü", "a:", "/", "?", "@", "%20"])
    func hostile(piece: String) {
        let reference = "?" + String(repeating: piece, count: 1_000_000 / piece.utf8.count)
        #expect((try? resolve(reference))?.host() == "api.example.test")
    }
}
