import Foundation
import Testing

@testable import LarderCLI

/// With signals that nothing else in the process uses, one a test: signals belong to the whole process.
@Suite(.timeLimit(.minutes(5))) struct InterruptionTests {
    @Test func aSignalEndsTheWait() async {
        let interruption = Interruption([SIGUSR1])
        kill(getpid(), SIGUSR1)
        #expect(await interruption.wait() == SIGUSR1)
    }

    @Test func aCancelledTaskEndsTheWait() async {
        let interruption = Interruption([SIGWINCH])
        let waiting = Task { await interruption.wait() }
        waiting.cancel()
        #expect(await waiting.value == nil)
    }

    @Test func aSignalCancelsTheWorkAndIsTheExitCode() async throws {
        let code = try await Interruption.cancelling([SIGUSR2]) {
            kill(getpid(), SIGUSR2)
            let (forever, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in forever {}
            #expect(Task.isCancelled)
            throw CancellationError()
        }
        #expect(code == .signal(SIGUSR2))
    }

    @Test func workThatEndsByItselfTellsItsOwnExitCode() async throws {
        #expect(try await Interruption.cancelling([SIGURG]) { .dataError } == .dataError)
        await #expect(throws: UsageError("no")) {
            try await Interruption.cancelling([SIGURG]) { throw UsageError("no") }
        }
    }

    @Test func workThatIsAskedToStopSeesTheSignalAndIsNotCancelled() async throws {
        let code = try await Interruption.asking([SIGIO]) { stop in
            #expect(stop.signal == nil)
            kill(getpid(), SIGIO)
            while stop.signal == nil { await Task.yield() }
            #expect(!Task.isCancelled)
            return .signal(stop.signal ?? 0)
        }
        #expect(code == .signal(SIGIO))
        #expect(code.isOfSignal)
        #expect(try await Interruption.asking([SIGIO]) { _ in .dataError } == .dataError)
    }
}
