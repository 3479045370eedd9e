import LarderHTTPCache

/// What the loop knows of an exchange whose answer a task gives.
final class ActiveExchange {
    /// How the end of the answer's body is told.
    enum BodyEnd {
        /// There is none.
        case absent
        /// So many bytes are to come.
        case length(left: Int)
        case chunked
        case connection
    }

    let request: FrontRequest
    let mailbox: ExchangeMailbox
    let start: ContinuousClock.Instant
    var task: Task<Void, Never>?

    // The request's body.
    let body: BodyPipe?
    var isBodyWhole: Bool
    var isBodyWanted = false
    /// No more is read until there is room.
    var isBodyPaused = false
    var isBodyAbandoned = false
    /// Bytes that were read though nobody wanted them.
    var passedOver = 0
    /// The client waits for a word before it sends the body.
    var isContinueDue: Bool
    /// In the time that is looked at.
    var recentBodyBytes = 0

    // The answer.
    var status = 0
    var keepsAlive: Bool
    /// `nil` until the head is given.
    var bodyEnd: BodyEnd?
    var bodyBytes = 0
    /// Of the body, not yet told to the mailbox as sent.
    var unacknowledged = 0

    init(request: FrontRequest, mailbox: ExchangeMailbox, body: BodyPipe?, start: ContinuousClock.Instant) {
        self.request = request
        self.mailbox = mailbox
        self.body = body
        self.start = start
        isBodyWhole = body == nil
        isContinueDue = request.traits.contains(.expectsContinue)
        keepsAlive = request.head.keepsAlive
    }

    var isHead: Bool { KnownField.isExactly(request.head.bytes[request.head.method], "HEAD") }

    /// Whether the rest of the body would have to be passed over, and is too much or may never come.
    var leavesTooMuch: Bool {
        guard !isBodyWhole, isBodyAbandoned || !isBodyWanted || isContinueDue else { return false }
        if isContinueDue { return true }
        guard case .length(let length) = request.framing else { return true }
        return length > Self.drained
    }

    /// How much of a body nobody wants is read, to keep the connection.
    static let drained = 64 << 10
}
