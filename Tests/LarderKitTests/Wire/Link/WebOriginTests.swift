import Foundation
import LarderKit
import Testing

@Suite("Origins")
struct WebOriginTests {
    @Test(
        "Scheme, host and port",
        arguments: [
            ("https://api.example.test/t", "https://api.example.test"),
            ("http://api.example.test", "http://api.example.test"),
            ("HTTPS://API.Example.TEST:443/T?c=1#f", "https://api.example.test"), ("http://a:80", "http://a"),
            ("http://a:443", "http://a:443"), ("https://a:80?x", "https://a:80"), ("https://a:/x", "https://a"),
            ("https://a:0443/x", "https://a"), ("https://a#x@b", "https://a"), ("https://a?x@b:1", "https://a"),
            ("https://a/x@b:1", "https://a"), ("https://a./x", "https://a."),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:8080/x", "http://[::1]:8080"), ("http://[FE80::A]", "http://[fe80::a]"),
            ("http://[::ffff:1.2.3.4]:80", "http://[::ffff:1.2.3.4]"),
            ("http://my_host-1:3000", "http://my_host-1:3000"),
            ("https://bücher.example/ä", "https://xn--bcher-kva.example"), ("https://a:65535", "https://a:65535"),
        ])
    func origin(url: String, origin: String) throws {
        #expect(try WebOrigin(#require(URL(string: url)))?.description == origin)
    }

    @Test("The parts by themselves")
    func parts() throws {
        let url = try #require(URL(string: "HTTP://[::A]/"))
        let origin = try #require(WebOrigin(url))
        #expect(origin.scheme == "http")
        #expect(origin.host == "[::a]")
        #expect(origin.port == 80)
    }

    @Test(
        "What two readers could take for different hosts has no origin",
        arguments: [
            "ftp://a/x", "file:///x", "mailto:a@b", "javascript:alert(1)", "/x", "//a/x", "?x", "a", "https:a",
            "https:/a/x",
            "https:///a/x", "https://", "https://:443/x", "httpss://a", "://a/x",
            "https://u@a/x", "https://u:p@a/x", "https://@a/x", "https://:@a/x", "https://a:443@b/x", "https://a%40b/x",
            "https://a%2Eb/x", "https://%61/x", "https://a%2Fb/x", "https://a%00/x", "https://a;b/x", "https://a,b/x",
            "https://a!/x", "https://(a)/x", "https://a*/x", "https://$a/x", "https://a&b/x", "https://a=b/x",
            "https://a'/x",
            "https://a+b/x", "https://~a/x", "https://[a]/x", "https://[v1.a]/x", "https://[::1%25eth0]/x",
            "https://[1.2.3.4]/x", "https://a:0/x", "https://a:65536/x", "https://a:99999999999999999999/x",
            "https://a:18446744073709552059/x",
        ])
    func none(url: String) throws {
        #expect(try WebOrigin(#require(URL(string: url))) == nil)
    }

    @Test("A URL with a base is read as a whole")
    func relative() throws {
        let base = try #require(URL(string: "https://a:8080/x"))
        #expect(WebOrigin(try #require(URL(string: "?y", relativeTo: base)))?.description == "https://a:8080")
        #expect(WebOrigin(try #require(URL(string: "//b/y", relativeTo: base)))?.description == "https://b")
    }

    @Test("Foundation reads the same host and port wherever there is an origin")
    func agreement() throws {
        let hosts = ["a", "A.b", "[::1]", "u@a", "a%2E", "1.2.3.4", "", "[a]", "a_b", "a;b", "a."]
        let ports = ["", ":", ":1", ":443", ":080", ":65535", ":65536", ":0", ":x", ":-1", ":+1", ":1:2"]
        var count = 0
        for host in hosts {
            for port in ports {
                for rest in ["", "/", "/@b:2", "?@b:2", "#@b:2", "//b", ";x@b"] {
                    let text = "https://\(host)\(port)\(rest)"
                    guard let url = URL(string: text), let origin = WebOrigin(url) else { continue }
                    count += 1
                    #expect(origin.host.trimmingCharacters(in: ["[", "]"]) == url.host()?.lowercased(), "\(text)")
                    #expect(Int(origin.port) == url.port ?? 443, "\(text)")
                    #expect(url.user() == nil && url.password() == nil, "\(text)")
                }
            }
        }
        #expect(count > 100)
    }
}
