import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// What ends in a log by accident: printed, dumped, or reflected.
@Suite struct PrivacyTests {
    private static let secret = "s3cr3t"
    private static let key = "https://api.example.test/me?token=s3cr3t"

    private struct Untold: Error {
        let url = PrivacyTests.key
    }

    @Test(arguments: ["https://s3cr3t.evil.example/t", "https://s3cr3t@api.example.test/t", "/t s3cr3t"])
    func `a link that is not followed says why, and nothing of where it leads`(target: String) throws {
        let request = PageRequest(below: "1", limit: 20, continuation: .link(target))
        let list = try #require(URL(string: "https://api.example.test/t"))
        let failure = try #require(throws: FetchFailure.self) { try request.url(from: list) }
        #expect(texts(failure).allSatisfy { !$0.contains(Self.secret) })
        #expect(failure.explanation.contains("link"))
    }

    private func texts(_ value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        var texts = ["\(value)", String(reflecting: value), dumped, "\([value])", String(reflecting: [value])]
        if let error = value as? any Error { texts.append(error.localizedDescription) }
        return texts
    }

    private static func decodingError() -> any Error {
        do {
            _ = try JSONDecoder().decode([String: Int].self, from: Data(#"{"s3cr3t": "s3cr3t"}"#.utf8))
            return Untold()
        } catch {
            return error
        }
    }

    private static func leaks() -> [any Sendable] {
        let errors: [any Error] = [
            Untold(), decodingError(), EncodingError.invalidValue(key, .init(codingPath: [], debugDescription: key)),
        ]
        return errors.flatMap { error -> [any Sendable] in
            let value = UndecodableValue(key: key, stored: .served, wanted: CodecID(name: "json"), underlying: error)
            let item = UndecodableItem(id: ItemID(key), error: error)
            let storage = StorageError.wrapping(error)
            return [
                value, item, storage, LarderError.undecodable(value, nil), LarderError.storage(storage),
                ReadingWarning.undecodableItems([item, UndecodableItem(id: ItemID(key), error: value)]),
                ReadingWarning.notKept(storage), FetchFailure.wrapping(error),
            ]
        }
    }

    @Test func `errors and warnings show no key, no id, and nothing of what was stored`() {
        for leak in Self.leaks() {
            for text in texts(leak) { #expect(!text.contains(Self.secret), "\(type(of: leak)): \(text)") }
        }
    }

    @Test func `what they do not show is in their properties`() {
        let value = UndecodableValue(key: Self.key, stored: .served, wanted: .served, underlying: Untold())
        #expect(value.key == Self.key && value.underlying is Untold)
        #expect(UndecodableItem(id: "1", error: Untold()).id == "1")
        #expect(StorageError.wrapping(Untold()).underlying is Untold)
    }

    @Test func `a reading tells of its warnings in words`() async throws {
        let larder = Larder.inMemory(environment: TestWorld().environment)
        struct Post: Codable { let id: String, words: Int }
        let body = Data(#"[{"id": "s3cr3t", "words": "s3cr3t"}]"#.utf8)
        let feed = larder.common.feed("home", json: JSONItems(), paging: .byID(.text), decoding: Post.self) { _ in
            RawAnswer(body: body)
        }
        let reading = try await feed.page()
        #expect(reading.warnings.map(\.description) == ["stored items that do not decode: 1"])
        for text in texts(reading.warnings) { #expect(!text.contains(Self.secret), "\(text)") }
    }

    @Test func `every error says what it says as a localised one, too`() {
        let errors: [any Error] = [
            LarderError.notStored, LarderError.cancelled, LarderError.fetch(.http(status: 503)),
            LarderError.storage(.closed),
        ]
        for error in errors { #expect(error.localizedDescription == "\(error)") }
    }
}
