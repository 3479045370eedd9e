import Testing

@testable import LarderServer

@Suite struct ProxyAddressTests {
    private let address = {
        let address = ProxyAddress("192.0.2.1")
        address.port = 8080
        return address
    }()

    @Test(arguments: ["127.0.0.1:8080", "LOCALHOST:8080", "[::1]:8080", "192.0.2.1:8080"])
    func itsOwnNamesAreItsOwn(authority: String) { #expect(address.isMeant(by: authority)) }

    @Test(arguments: ["127.0.0.1:8081", "127.0.0.1", "other.test:8080", "[::1]", "[::1", ""])
    func othersAreNot(authority: String) { #expect(!address.isMeant(by: authority)) }

    @Test(arguments: ["127.0.0.1", "127.3.2.1", "::1"])
    func onThisMachineAloneItServesItsOwnNamesAndThoseItIsTold(listening: String) {
        let address = ProxyAddress(listening, serving: ["b.test"])
        for host in ["127.0.0.1:1", "127.9.9.9", "[::1]", "[0:0:0:0:0:0:0:1]:8", "X.localhost", "b.test:9", ""] {
            #expect(address.serves(host), "\(host)")
        }
        for host in ["c.test", "127.c.test", "127.1", "128.0.0.1", "[::2]", "[::1", "localhost.c.test", "xlocalhost"] {
            #expect(!address.serves(host), "\(host)")
        }
    }

    @Test func whereOthersReachItItServesEveryHost() {
        #expect(ProxyAddress("0.0.0.0").serves("c.test") && address.serves("c.test"))
    }
}

@Suite struct OriginMapRepetitionTests {
    @Test func aPlaceHasOneOrigin() {
        #expect(throws: OriginMapError.self) { () throws in try OriginMap(["http://a.test", "http://b.test"]) }
        #expect(throws: OriginMapError.self) { () throws in try OriginMap(["/x=http://a.test", "/x/=http://b.test"]) }
        #expect(throws: Never.self) { () throws in try OriginMap(["/x=http://a.test", "http://b.test"]) }
    }

    @Test func aPasswordIsNotRepeated() {
        let error = #expect(throws: OriginMapError.self) { () throws in try OriginMap(["http://u:s3cr3t@a.test"]) }
        #expect(error?.description.contains("s3cr3t") == false)
    }
}
