import LarderHTTPCache

/// One client's connection. Used on its loop's thread only.
final class Connection {
    enum Phase {
        /// For a request, or the rest of its head.
        case waiting
        case exchanging(ActiveExchange)
        /// The answer is given; so much of the request's body may still come, and is passed over.
        case draining(left: Int)
        /// What waits to be sent is the last.
        case closing
        /// All is sent: the client is given time to see it.
        case lingering
    }

    let socket: Int32
    let id: UInt64
    let peer: String
    /// Does not take up one of the places.
    let isTurnedAway: Bool
    var phase = Phase.waiting
    var parser: RequestParser
    /// Bytes that have come, and that nobody has taken.
    var input: [UInt8] = []
    var output = OutputQueue()
    /// As far as is known: the system has told of a change, and has not refused since.
    var mayRead = false
    var mayWrite = true
    /// The client sends no more.
    var hasEnded = false
    /// It is to see an error instead of an end.
    var closesHard = false
    /// What is in ``input`` leads to nothing until more has come.
    var needsMore = true
    /// The first bytes of a request have come, and not its whole head.
    var isInsideHead = false

    /// By the loop's clock.
    var readDeadline = UInt64.max
    var writeDeadline = UInt64.max
    /// Since when nothing is under way.
    var waitingSince: UInt64

    /// How many bytes have been queued and sent, ever.
    var sentBytes = 0
    /// Answers that are queued and not sent, each with how many bytes will have been sent then.
    var unsent: [(record: EndedAnswer, at: Int)] = []

    init(
        socket: Int32, id: UInt64, peer: String, isTurnedAway: Bool, limits: ParsingLimits, now: UInt64
    ) {
        self.socket = socket
        self.id = id
        self.peer = peer
        self.isTurnedAway = isTurnedAway
        parser = RequestParser(limits: limits)
        waitingSince = now
    }

    var exchange: ActiveExchange? {
        if case .exchanging(let exchange) = phase { exchange } else { nil }
    }
}

/// What is known of an answer that is wholly queued.
struct EndedAnswer {
    let request: FrontRequest?
    let status: Int
    let bodyBytes: Int
    let start: ContinuousClock.Instant
    let refusal: FrontRefusal?
    var note: String?
    /// Nothing is missing but the sending.
    let isWhole: Bool
}
