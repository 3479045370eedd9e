import Testing

@testable import LarderKit

struct LarderEventTests {
    private static let subject = LarderEvent.Subject(.feed, number: 7)

    private static let all: [(LarderEvent, String)] = [
        (.requestStarted(subject), "feed 7: request sent"),
        (.requestEnded(subject, .value(bytes: 12), after: .milliseconds(340)), "feed 7: 12 bytes after 340 ms"),
        (
            .requestEnded(subject, .notModified(bytesSaved: 12), after: .seconds(1)),
            "feed 7: not modified, 12 bytes saved after 1000 ms"
        ),
        (
            .requestEnded(subject, .failed(.server(status: 503)), after: .zero), "feed 7: server (503) after 0 ms"
        ),
        (.requestEnded(subject, .failed(.gone(status: 410)), after: .zero), "feed 7: gone (410) after 0 ms"),
        (
            .requestEnded(subject, .failed(.unexpectedStatus(202)), after: .zero),
            "feed 7: unexpectedStatus (202) after 0 ms"
        ),
        (.requestEnded(subject, .failed(.offline), after: .zero), "feed 7: offline after 0 ms"),
        (.requestEnded(subject, .cancelled, after: .zero), "feed 7: cancelled after 0 ms"),
        (
            .served(subject, .networkFailed, age: .seconds(90), isStale: true, bytes: 5),
            "feed 7: served 5 bytes, stale, 90000 ms old (networkFailed)"
        ),
        (.joined(subject), "feed 7: joined a request under way"),
        (.joinedOtherProcess(subject), "feed 7: joined a request of another process"),
        (.retry(subject, .timedOut, after: .seconds(2)), "feed 7: asked again in 2000 ms (timedOut)"),
        (.heldBack(subject), "feed 7: request held back"),
        (.lateAnswer(subject), "feed 7: the answer came late"),
        (.notKept(subject), "feed 7: the value could not be kept"),
        (.superseded(subject), "feed 7: a later value is stored already"),
        (.gapFound(subject), "feed 7: a gap was left"),
        (.signedOut, "signed out"),
        (.invalidated(count: 3), "invalidated: 3"),
    ]

    @Test(arguments: all)
    func `an event is one line`(event: LarderEvent, line: String) {
        #expect("\(event)" == line)
    }

    @Test func `a thing has one number, and its own`() {
        let secret = StoreKey(partition: "ada", key: "token-4711")
        let subject = LarderEvent.Subject(.resource, secret)
        #expect(subject == LarderEvent.Subject(.resource, secret))
        #expect(subject != LarderEvent.Subject(.feed, secret))
        let numbers = (0..<100).flatMap { number in
            ["a", "b"].map { LarderEvent.Subject(.feed, StoreKey(partition: $0, key: "\(number)")).number }
        }
        #expect(Set(numbers).count == 200)
        var text = ""
        dump(LarderEvent.requestStarted(subject), to: &text)
        #expect(!text.contains("ada") && !text.contains("4711"))
    }

    @Test(
        arguments: [
            (.offline, "offline"), (.timedOut, "timedOut"), (.unauthorised, "unauthorised"),
            (.forbidden, "forbidden"), (.gone(status: 404), "gone"), (.throttled, "throttled"),
            (.server(status: 500), "server"), (.unexpectedStatus(418), "unexpectedStatus"),
            (.wrongAnswer, "wrongAnswer"), (.other, "other"),
        ] as [(FetchFailure.Kind, String)])
    func `a kind of failure has a name`(kind: FetchFailure.Kind, name: String) {
        #expect(kind.name == name)
    }
}
