import Foundation

/// Nobody reads the stream any more: its pipe is closed at the other end. The tool then ends without a word.
struct StreamClosed: Error {}

/// One of the process's output streams, written without a buffer: what was written is seen, even if the process dies.
///
/// Safe to use from any thread; texts up to the size of a pipe's buffer are not mixed with those of others.
struct StandardStream: Sendable {
    private let descriptor: Int32

    /// For results.
    static let output = StandardStream(descriptor: STDOUT_FILENO)
    /// For remarks, progress and failures.
    static let error = StandardStream(descriptor: STDERR_FILENO)

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes a text and the end of its line.
    ///
    /// - Throws: ``StreamClosed``.
    func line(_ text: String = "") throws(StreamClosed) {
        try write(text + "\n")
    }

    /// - Throws: ``StreamClosed``.
    func write(_ text: String) throws(StreamClosed) {
        try write(Data(text.utf8))
    }

    /// Writes all bytes. Other troubles than a closed pipe end the writing too: there is nobody left to tell.
    ///
    /// - Throws: ``StreamClosed``.
    func write(_ bytes: Data) throws(StreamClosed) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if errno == EAGAIN {
                waitUntilWritable()
            } else if errno != EINTR {
                throw StreamClosed()
            }
        }
    }

    private func waitUntilWritable() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
    }

    /// Makes a closed pipe an error that ``write(_:)-(Data)`` sees, instead of the death of the process. Once, at the
    /// start.
    static func ignoreBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }
}
