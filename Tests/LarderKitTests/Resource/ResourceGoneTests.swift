import LarderTestKit
import Testing

@testable import LarderKit

/// What the server has no more is dropped, unless it is known from a later request.
@Suite(.timeLimit(.minutes(5))) struct ResourceGoneTests {
    private let larder = Larder.inMemory(environment: TestWorld().environment)

    @Test(arguments: InvalidationTests.places.indices, [true, false])
    func `of two requests the later one decides`(place: Int, isGoneLater: Bool) async throws {
        let gates = (answer: Gate(), gone: Gate())
        let options = ResourceOptions(storage: InvalidationTests.places[place])
        let found = larder.common.resource("gone\(isGoneLater)", options: options) { () -> Int in
            try await gates.answer.wait()
            return 1
        }
        // Handles of two codecs share no request.
        let gone = larder.common.resource("gone\(isGoneLater)", options: options, codec: .propertyList) { () -> Int in
            try await gates.gone.wait()
            throw FetchFailure.http(status: 404)
        }
        var readers: [Task<Reading<Int>, any Error>] = []
        for (resource, gate) in isGoneLater
            ? [(found, gates.answer), (gone, gates.gone)] : [(gone, gates.gone), (found, gates.answer)]
        {
            readers.append(Task { try await resource.read() })
            await gate.reached()
        }
        gates.answer.open()
        _ = try await readers[isGoneLater ? 0 : 1].value
        gates.gone.open()
        _ = try? await readers[isGoneLater ? 1 : 0].value
        #expect(try found.peek()?.value == (isGoneLater ? nil : 1))
    }
}
