public import LarderKit

extension ScriptedFetch {
    /// What one call of a ``ScriptedFetch`` gets.
    public struct Step: Sendable {
        let perform: @Sendable (Request) async throws -> Value

        /// The value, at once.
        public static func answer(_ value: Value) -> Step {
            Step { _ in value }
        }

        /// A value that depends on the request, or whatever `reply` throws.
        public static func reply(_ reply: @escaping @Sendable (Request) async throws -> Value) -> Step {
            Step(perform: reply)
        }

        /// A failure, at once: `.fail(.http(status: 503))`.
        public static func fail(_ failure: FetchFailure) -> Step {
            Step { _ in throw failure }
        }

        /// An error of any kind, at once.
        public static func fail(_ error: any Error) -> Step {
            Step { _ in throw error }
        }

        /// The value, when the gate opens.
        public static func gated(_ gate: Gate, _ value: Value) -> Step {
            hold(at: gate, then: .answer(value))
        }

        /// Another step, when the gate opens: `.hold(at: gate, then: .fail(.http(status: 503)))`.
        public static func hold(at gate: Gate, then step: Step) -> Step {
            Step { request in
                try await gate.wait()
                return try await step.perform(request)
            }
        }

        /// Nothing, until the calling task is cancelled.
        public static var hold: Step {
            Step { _ in
                try await Gate().wait()
                throw CancellationError()
            }
        }
    }
}
