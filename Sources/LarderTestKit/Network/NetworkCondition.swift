import Foundation
public import LarderKit

/// What becomes of a request on its way to the server and back.
///
/// Each does what a transport such as `URLSession` or libcurl makes of the real thing. Any of them may take its time:
/// `.captivePortal.after(.seconds(2))`.
public struct NetworkCondition: Sendable, Hashable {
    /// The way of a request, without the time it takes.
    enum Course: Sendable, Hashable {
        case arrives
        case arrivesUnlessModified
        case isCut(afterBytes: Int)
        case isAnsweredInstead(RawAnswer)
        case fails(FetchFailure)
        case isHeldForEver
    }

    let course: Course
    let delay: Duration

    init(_ course: Course, after delay: Duration = .zero) {
        self.course = course
        self.delay = max(delay, .zero)
    }

    /// The same, that much later.
    public func after(_ delay: Duration) -> NetworkCondition {
        NetworkCondition(course, after: self.delay + max(delay, .zero))
    }
}

// MARK: The server is reached

extension NetworkCondition {
    /// The server's answer, at once.
    public static let online = NetworkCondition(.arrives)

    /// The server's answer, whole, after `latency`.
    public static func slow(latency: Duration) -> NetworkCondition { online.after(latency) }

    /// The head of the server's answer, and its body that much later. A fetch ends with the body.
    public static func headersThenBody(headersAfter head: Duration, bodyAfter body: Duration) -> NetworkCondition {
        online.after(head).after(body)
    }

    /// 304 where the request bears validators that the server's answer still matches, and that answer where it does not:
    /// what the test has the server say need not look at them.
    public static let notModified = NetworkCondition(.arrivesUnlessModified)

    /// The connection is lost when so much of the body has come: the answer's head promises more than there is. A closure
    /// that gives a value instead of a raw answer fails with `FetchFailure.Kind.wrongAnswer`.
    public static func dropped(afterBytes count: Int) -> NetworkCondition {
        NetworkCondition(.isCut(afterBytes: max(count, 0)))
    }
}

// MARK: Somebody else answers

extension NetworkCondition {
    /// A Wi-Fi that wants a sign-in first: whatever is asked for, its page comes, with status 200.
    public static let captivePortal = answer(.portalPage)

    /// A status with an empty body: `.status(429, retryAfter: .seconds(120))`. What is asked for in parts of a second is
    /// rounded up.
    public static func status(_ status: Int, retryAfter: Duration? = nil) -> NetworkCondition {
        var headers: HeaderFields = ["Content-Length": "0"]
        if let retryAfter {
            headers.append(name: "Retry-After", value: "\(retryAfter.wholeSecondsRoundedUp)")
        }
        return answer(RawAnswer(status: status, headers: headers, body: Data()))
    }

    /// Status 200 with this body in place of the server's.
    public static func body(_ text: String, contentType: String = "application/json") -> NetworkCondition {
        answer(.page(text, contentType: contentType))
    }

    /// This answer in place of the server's.
    public static func answer(_ answer: RawAnswer) -> NetworkCondition {
        NetworkCondition(.isAnsweredInstead(answer))
    }
}

// MARK: Nobody answers

extension NetworkCondition {
    /// No network is there. It fails at once.
    public static let offline = failure(FetchFailure(.offline, "the server could not be reached"))

    /// The name of the host is not found.
    public static let dnsFailure = failure(FetchFailure(.offline, "the name of the host cannot be resolved"))

    /// The host is there, and its server is not.
    public static let connectionRefused = failure(
        FetchFailure(.offline, "the connection is refused, or the host cannot be reached"))

    /// The connection breaks before an answer has come.
    public static let connectionLost = failure(FetchFailure(.offline, "the connection was lost"))

    /// Nothing comes, and the transport gives up after thirty seconds.
    public static let timeout = timeout(after: .seconds(30))

    /// Nothing comes, and the transport gives up after that time.
    public static func timeout(after duration: Duration) -> NetworkCondition {
        failure(FetchFailure(.timedOut, "no answer came in time")).after(duration)
    }

    /// Nothing comes, and the transport never gives up. Only the end of its task ends such a request.
    public static let silence = NetworkCondition(.isHeldForEver)

    /// Any other failure.
    public static func failure(_ failure: FetchFailure) -> NetworkCondition {
        NetworkCondition(.fails(failure))
    }
}

extension Duration {
    fileprivate var wholeSecondsRoundedUp: Int64 {
        max(components.seconds + (components.attoseconds > 0 ? 1 : 0), 0)
    }
}
