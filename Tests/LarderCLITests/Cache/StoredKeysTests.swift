import Foundation
import LarderKit
import Testing

@testable import LarderCLI

@Suite struct StoredKeysTests {
    private let stored = StoredKeys([
        StoreKey(key: "https://a.example/me?token=1"), StoreKey(key: "https://a.example/me?token=2"),
        StoreKey(key: "https://a.example/list items=$.data"), StoreKey(partition: "anna", key: "profile"),
        StoreKey(key: "profile2"), StoreKey(partition: "anna", key: "both"), StoreKey(partition: "berta", key: "both"),
    ])

    private func message(_ key: String, _ partition: String = "") -> String {
        stored.trouble(with: key, in: partition, of: URL(fileURLWithPath: "/c")).message
    }

    @Test func allKeysThatLookAsTheOneTypedAreFound() {
        #expect(stored.shown(as: "https://a.example/me?token=…", in: "").count == 2)
        #expect(stored.shown(as: "https://a.example/me?token=…", in: "anna").isEmpty)
    }

    @Test func theAccountsThatHaveItAreNamed() {
        #expect(message("both").hasSuffix("It is stored for anna, berta: say so with --partition."))
        #expect(message("profile2", "anna").hasSuffix("It is stored for nobody (leave out --partition)."))
    }

    @Test func listsOfTheSameURLComeFirstThenTheNearestKey() {
        #expect(message("https://a.example/list").contains("Did you mean 'https://a.example/list items=$.data'?"))
        #expect(message("profil", "anna").contains("Did you mean profile?"))
        #expect(message("quite another thing").hasSuffix("/c. 'larder ls' shows what there is."))
    }
}
