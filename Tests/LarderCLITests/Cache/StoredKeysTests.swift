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
        #expect(stored.meant(by: "https://a.example/me?token=…", in: "").count == 2)
        #expect(stored.meant(by: "https://a.example/me?token=…", in: "anna").isEmpty)
    }

    @Test func theListsOfAURLAreFoundWhereverTheirItemsAre() {
        #expect(stored.meant(by: "https://a.example/list", in: "") == ["https://a.example/list items=$.data"])
        #expect(stored.meant(by: "https://a.example/lis", in: "").isEmpty)
        #expect(StoredKeys([StoreKey(key: "to do")]).meant(by: "to", in: "").isEmpty, "a key of an app's own is no URL")
    }

    @Test func theAccountsThatHaveItAreNamed() {
        #expect(message("both").hasSuffix("It is stored for anna, berta: say so with --partition."))
        #expect(message("profile2", "anna").hasSuffix("It is stored for nobody (leave out --partition)."))
    }

    @Test func theNearestKeyIsProposed() {
        #expect(message("profil", "anna").contains("Did you mean profile?"))
        #expect(message("https://a.example/lizt items=$.data").contains("mean 'https://a.example/list items=$.data'?"))
        #expect(
            message("https://a.example/me?token=3").hasSuffix(
                "It is stored with another secret: 'https://a.example/me?token=…' tells of it."))
        #expect(message("quite another thing").hasSuffix("/c. 'larder ls' shows what there is."))
    }
}
