#if os(Linux)
    import Foundation

    /// A network of its own for single threads and the programs they start. At first it has nothing but loopback, which is
    /// down.
    ///
    /// Only root may have one, and not in every container.
    final class NetworkNamespace: Sendable {
        private typealias Unshare = @convention(c) (Int32) -> Int32
        private typealias Join = @convention(c) (Int32, Int32) -> Int32

        private static let cloneNewNet: Int32 = 0x4000_0000
        private static let tool = ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip", "/bin/ip"]
            .first { FileManager.default.isExecutableFile(atPath: $0) }

        private let descriptor: Int32

        /// `nil` where namespaces are refused, or `ip` (iproute2) is missing.
        init?() async {
            descriptor = await Self.onThread { () -> Int32 in
                guard Self.tool != nil, let unshare = Self.function("unshare", as: Unshare.self),
                    unshare(Self.cloneNewNet) == 0
                else { return -1 }
                return open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC)
            }
            if descriptor < 0 { return nil }
        }

        deinit { close(descriptor) }

        /// Does `body` on a thread that is in this network.
        func perform<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
            try await Self.onThread { [descriptor] in
                Result {
                    guard let join = Self.function("setns", as: Join.self), join(descriptor, Self.cloneNewNet) == 0
                    else { throw POSIXError(.EPERM) }
                    return try body()
                }
            }.get()
        }

        /// Runs the tool of that name (ip(8)) here: `try await ip("link set v0 up")`.
        func ip(_ arguments: String) async throws {
            let words = ["ip"] + arguments.split(separator: " ").map(String.init)
            let isDone = try await perform { Self.run(words) }
            if !isDone { throw ToolFailure(arguments: arguments) }
        }

        /// Not by Foundation: on a thread with a network of its own, its `waitUntilExit` does not return.
        private static func run(_ words: [String]) -> Bool {
            guard let tool else { return false }
            var arguments = words.map { strdup($0) } + [nil]
            defer { for argument in arguments { free(argument) } }
            var process: pid_t = 0
            var status: Int32 = -1
            guard posix_spawn(&process, tool, nil, nil, &arguments, environ) == 0 else { return false }
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
            return status == 0
        }

        struct ToolFailure: Error {
            let arguments: String
        }

        private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
            await withCheckedContinuation { continuation in
                Thread { continuation.resume(returning: body()) }.start()
            }
        }

        /// What the C library has and its Swift form leaves out.
        private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
            dlsym(nil, name).map { unsafeBitCast($0, to: type) }
        }
    }
#endif
