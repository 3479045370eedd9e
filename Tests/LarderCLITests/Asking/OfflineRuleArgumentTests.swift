import LarderHTTPCache
import Testing

@testable import LarderCLI

@Suite struct OfflineRuleArgumentTests {
    @Test func aRuleNamesAPlaceAndWhatItAllows() throws {
        let rule = try OfflineRule(argument: "api.example.com/v1=keep-no-store,serve-unvalidated,for=7d")
        #expect(
            rule
                == OfflineRule(
                    host: "api.example.com", path: "/v1", keepsNoStore: true, servesUnvalidated: true,
                    limit: .seconds(7 * 86_400)))
        #expect(try OfflineRule(argument: "*=keep-no-store") == OfflineRule(keepsNoStore: true))
        #expect(
            try OfflineRule(argument: "*.example.com:8080/=serve-unvalidated")
                == OfflineRule(host: "*.example.com:8080", servesUnvalidated: true))
    }

    @Test(arguments: [
        ("api.example.com", "takes HOST/PATH=WHAT"), ("/v1=keep-no-store", "names no host"),
        ("*=", "allows nothing"), ("*=for=1h", "allows nothing"), ("*=keep", "'keep' is none of"),
        ("*=keep-no-store,for=soon", "for= takes a time"),
    ])
    func whatMakesNoSenseIsRefusedWithAWayOut(text: String, words: String) {
        let error = #expect(throws: UsageError.self) { try OfflineRule(argument: text) }
        #expect(error?.description.contains(words) == true)
    }
}
