import Dispatch
import Foundation
import Synchronization

/// Carries signals from their handler, where next to nothing may be done, to where anything may.
///
/// The handler writes the signal's number into a pipe, and a dispatch source reads it. Unlike a source for the signal
/// itself, which is not there until its queue has got round to it, this loses none that comes early.
///
/// State: `listeners`, under its lock. One for the process, as signals are.
final class SignalPipe: Sendable {
    typealias Listener = @Sendable (Int32) -> Void

    /// `nil` where the process may open no more files.
    static let shared = SignalPipe()

    private let listeners = Mutex<[Int32: Listener]>([:])
    /// Never touched again once it runs; `DispatchSourceRead` is safe to use from any thread.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    private init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        let readEnd = ends[0]
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: DispatchQueue(label: "larder.signals"))
        writeEnd.store(ends[1], ordering: .releasing)
        source.setEventHandler { [unowned self] in
            var number: UInt8 = 0
            while read(readEnd, &number, 1) == 1 { deliver(Int32(number)) }
        }
        source.resume()
    }

    /// From now on, calls `listener` when the signal comes, in place of what the signal did before. One a signal.
    func listen(to number: Int32, _ listener: @escaping Listener) {
        listeners.withLock { $0[number] = listener }
        signal(number, noteSignal)
    }

    /// From now on, the signal does what it does by default.
    func stopListening(to number: Int32) {
        signal(number, SIG_DFL)
        listeners.withLock { $0[number] = nil }
    }

    private func deliver(_ number: Int32) {
        listeners.withLock { $0[number] }?(number)
    }
}

private let writeEnd = Atomic<Int32>(-1)

/// The handler. It may interrupt any code anywhere: it reads one atomic and makes one system call.
private func noteSignal(_ number: Int32) {
    let interrupted = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(writeEnd.load(ordering: .acquiring), &byte, 1)
    errno = interrupted
}
