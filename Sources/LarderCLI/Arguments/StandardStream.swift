import Foundation

/// Why a stream took no more.
enum StreamFailure: Error, Hashable {
    /// Nobody reads it any more: its pipe is closed at the other end. The tool then ends without a word.
    case closed
    /// What was written is not whole; the cause in the system's words, such as "No space left on device".
    case failed(cause: String)
}

/// One of the process's output streams, written without a buffer: what was written is seen, even if the process dies.
///
/// Safe to use from any thread; texts up to the size of a pipe's buffer are not mixed with those of others.
struct StandardStream: Sendable {
    private let descriptor: Int32
    /// A remark that cannot be written costs nobody the result: its failures are not told.
    private let isForRemarks: Bool

    /// For results.
    static let output = StandardStream(descriptor: STDOUT_FILENO)
    /// For remarks, progress and failures. Writing to it never throws.
    static let error = StandardStream(descriptor: STDERR_FILENO, isForRemarks: true)

    init(descriptor: Int32, isForRemarks: Bool = false) {
        self.descriptor = descriptor
        self.isForRemarks = isForRemarks
    }

    /// Writes a text and the end of its line.
    ///
    /// - Throws: ``StreamFailure``.
    func line(_ text: String = "") throws(StreamFailure) {
        try write(text + "\n")
    }

    /// - Throws: ``StreamFailure``.
    func write(_ text: String) throws(StreamFailure) {
        try write(Data(text.utf8))
    }

    /// Writes all bytes.
    ///
    /// - Throws: ``StreamFailure``. How much was written before is not told.
    func write(_ bytes: Data) throws(StreamFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            let code = errno
            if written >= 0 {
                rest = rest.dropFirst(written)
            } else if code == EAGAIN {
                waitUntilWritable()
            } else if code != EINTR {
                guard !isForRemarks else { return }
                throw code == EPIPE ? .closed : .failed(cause: String(cString: strerror(code)))
            }
        }
    }

    private func waitUntilWritable() {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
    }

    /// Readies the process's streams. Once, at the start, before anything is opened.
    ///
    /// A closed pipe becomes an error that ``write(_:)-(Data)`` sees, instead of the death of the process. A stream that
    /// the parent closed (`>&-`) leads to `/dev/null`: its number would go to the next file or socket that is opened,
    /// and the results into that.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            _ = open("/dev/null", O_RDWR)
        }
    }
}
