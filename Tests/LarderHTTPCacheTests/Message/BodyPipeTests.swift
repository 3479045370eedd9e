import Foundation
import LarderKit
import Synchronization
import Testing

@testable import LarderHTTPCache

@Suite struct BodyPipeTests {
    @Test func whatIsOfferedComesInOrderAndEnds() async throws {
        let pipe = BodyPipe()
        #expect(pipe.offer(Data("ab".utf8)) == .goOn)
        #expect(pipe.offer(Data("c".utf8)) == .goOn)
        pipe.finish()
        #expect(try await pipe.collect(upTo: 10) == Data("abc".utf8))
        #expect(try await pipe.next() == nil)
    }

    @Test func fullIsToldAndThenThatThereIsRoom() async throws {
        let rooms = Mutex(0)
        let pipe = BodyPipe(limit: 2, onRoom: { rooms.withLock { $0 += 1 } })
        #expect(pipe.offer(Data("ab".utf8)) == .full)
        #expect(rooms.withLock { $0 } == 0)
        #expect(try await pipe.next() == Data("ab".utf8))
        #expect(rooms.withLock { $0 } == 1)
    }

    @Test func aWriterWaitsForRoom() async throws {
        let pipe = BodyPipe(limit: 1)
        let writer = Task {
            var count = 0
            while count < 100, await pipe.write(Data([UInt8(count)])) { count += 1 }
            pipe.finish()
            return count
        }
        #expect(try await pipe.collect(upTo: 100) == Data((0..<100).map { UInt8($0) }))
        #expect(await writer.value == 100)
    }

    @Test func aFailureComesAfterWhatHasCome() async throws {
        let pipe = BodyPipe()
        pipe.offer(Data("a".utf8))
        pipe.fail(FetchFailure(.wrongAnswer, "cut"))
        #expect(try await pipe.next() == Data("a".utf8))
        await #expect(throws: FetchFailure.self) { try await pipe.next() }
    }

    @Test func whoAbandonsItFreesTheProducer() async {
        let abandoned = Mutex(0)
        let pipe = BodyPipe(limit: 1, onAbandon: { abandoned.withLock { $0 += 1 } })
        let writer = Task { await pipe.write(Data("abc".utf8)) }
        pipe.abandon()
        pipe.abandon()
        #expect(await !writer.value)
        #expect(pipe.offer(Data("x".utf8)) == .abandoned)
        #expect(abandoned.withLock { $0 } == 1)
    }

    @Test func cancellingTheConsumerAbandonsIt() async {
        let pipe = BodyPipe()
        let reader = Task { try await pipe.next() }
        reader.cancel()
        await #expect(throws: FetchFailure.self) { try await reader.value }
        #expect(pipe.offer(Data("x".utf8)) == .abandoned)
    }

    @Test func tooMuchIsRefused() async {
        let pipe = BodyPipe(Data(count: 11))
        let failure = await #expect(throws: FetchFailure.self) { try await pipe.collect(upTo: 10) }
        #expect(failure?.kind == .wrongAnswer)
    }
}
