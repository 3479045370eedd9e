import Foundation
import LarderKit
import Testing

@testable import LarderKit

@Suite struct CodecTests {
    struct Model: Codable, Sendable, Equatable {
        var name = "Ada\0\u{E9}"
        var numbers = [0, -1, Int.max]
        var ratio = 0.1
        var date = Date(timeIntervalSince1970: 1_768_478_400.25)
        var bytes = Data([0, 255])
        var missing: String?
    }

    @Test func `json and property lists give back what they were given`() throws {
        for codec in [Codec<Model>.json, .propertyList] {
            #expect(try codec.decode(codec.encode(Model())) == Model())
        }
        #expect(try Codec<Model>.propertyList.encode(Model()).starts(with: Data("bplist".utf8)))
    }

    @Test func `raw bytes are left alone`() throws {
        for bytes in [Data(), Data([0, 0xFF]), Data(" {} ".utf8)] {
            #expect(try Codec.raw.encode(bytes) == bytes)
            #expect(try Codec.raw.decode(bytes) == bytes)
            #expect(try Codec.served.decode(bytes) == bytes)
        }
    }

    @Test func `served JSON is decoded, and never encoded`() throws {
        let codec = Codec<[Int]>.servedJSON()
        #expect(try codec.decode(Data(" [1, 2]\n".utf8)) == [1, 2])
        #expect(throws: (any Error).self) { try codec.encode([1]) }
    }

    @Test func `codecs go by different names`() {
        let names = [
            Codec<Data>.json.id, Codec<Data>.propertyList.id, Codec.raw.id, Codec.served.id,
        ]
        #expect(Set(names).count == names.count)
        #expect(Codec<Data>.servedJSON().id == Codec.served.id)
        #expect(Codec<Data>.json(version: 3).id == CodecID(name: "json", version: 3))
        #expect(Codec<Data>.propertyList(version: 3).id.description == "plist 3")
    }

    private func entry(_ text: String, _ codec: CodecID) -> StoredEntry {
        StoredEntry(body: Data(text.utf8), metadata: EntryMetadata(codec: codec, storedAt: Date()))
    }

    @Test func `a row of another codec is undecodable, also where its bytes would decode`() throws {
        let codec = Codec<[Int]>.json
        let error = #expect(throws: UndecodableValue.self) {
            try codec.value(of: entry("[1]", CodecID(name: "raw")), key: "k")
        }
        #expect(error?.stored == CodecID(name: "raw"))
        #expect(error?.wanted == CodecID(name: "json"))
        #expect(error?.description == "the stored value is in codec raw 1, and json 1 was to read it")
    }

    @Test func `a row of another version is tried, and both are named when it fails`() throws {
        let codec = Codec<[Int]>.json(version: 2)
        let old = CodecID(name: "json", version: 1)
        #expect(try codec.value(of: entry("[1]", old), key: "k") == [1])
        let error = #expect(throws: UndecodableValue.self) { try codec.value(of: entry("{}", old), key: "k") }
        #expect(error?.description == "the value stored by codec json 1 does not decode by json 2")
        #expect(error?.underlying is DecodingError)
    }
}
