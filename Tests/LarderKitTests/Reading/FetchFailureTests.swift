import Foundation
import Testing

@testable import LarderKit

@Suite struct FetchFailureTests {
    @Test(
        arguments: [
            (401, .unauthorised, true), (403, .forbidden, true), (404, .gone(status: 404), true),
            (410, .gone(status: 410), true), (408, .timedOut, false), (429, .throttled, false),
            (500, .server(status: 500), false), (503, .server(status: 503), false), (599, .server(status: 599), false),
            (202, .unexpectedStatus(202), false), (204, .unexpectedStatus(204), false),
            (206, .unexpectedStatus(206), false), (302, .unexpectedStatus(302), false),
            (400, .unexpectedStatus(400), false),
            (402, .unexpectedStatus(402), false), (409, .unexpectedStatus(409), false),
            (451, .unexpectedStatus(451), true), (301, .unexpectedStatus(301), true),
            (307, .unexpectedStatus(307), false), (0, .unexpectedStatus(0), false), (-1, .unexpectedStatus(-1), false),
        ] as [(Int, FetchFailure.Kind, Bool)])
    func `a status means one failure, and few are answers`(status: Int, kind: FetchFailure.Kind, isAnswer: Bool) {
        let failure = FetchFailure.http(status: status, retryAfter: .seconds(1))
        #expect(failure.kind == kind)
        #expect(failure.isAnswer == isAnswer)
        #expect(failure.retryAfter == .seconds(1))
        #expect(failure.description.contains("\(status)"))
    }

    @Test(
        arguments: [
            (URLError.timedOut, .timedOut), (.notConnectedToInternet, .offline), (.cannotFindHost, .offline),
            (.cannotConnectToHost, .offline), (.networkConnectionLost, .offline), (.dnsLookupFailed, .offline),
            (.userAuthenticationRequired, .unauthorised),
            (.cannotParseResponse, .wrongAnswer), (.cannotDecodeContentData, .wrongAnswer), (.cancelled, .other),
            (.badURL, .other), (.secureConnectionFailed, .other),
        ] as [(URLError.Code, FetchFailure.Kind)])
    func `errors of URL loading are told apart`(code: URLError.Code, kind: FetchFailure.Kind) {
        #expect(FetchFailure.wrapping(URLError(code)).kind == kind)
    }

    @Test(arguments: [URLError.unknown, .badServerResponse])
    func `on Linux a request that was lost on its way goes by two names`(code: URLError.Code) {
        #if canImport(Darwin)
            let kind: FetchFailure.Kind = code == .unknown ? .other : .wrongAnswer
        #else
            let kind = FetchFailure.Kind.offline
        #endif
        #expect(FetchFailure.wrapping(URLError(code)).kind == kind)
    }

    @Test func `a failure that is thrown stays what it is`() {
        let failure = FetchFailure(.throttled, "slowly", retryAfter: .seconds(9))
        #expect(FetchFailure.wrapping(failure) == failure)
        #expect(FetchFailure.wrapping(CancellationError()).kind == .other)
    }

    struct Leaky: Error, LocalizedError, CustomStringConvertible, CustomDebugStringConvertible {
        var url = "https://api.example.test/me?token=s3cret"
        var description: String { "GET \(url) failed" }
        var debugDescription: String { description }
        var errorDescription: String? { description }
    }

    enum Refusal: Error { case token(String) }

    @Test(
        arguments: [
            Leaky(), Refusal.token("s3cret"),
            URLError(.timedOut, userInfo: [NSURLErrorFailingURLErrorKey: "https://x.test/?token=s3cret"]),
            URLError(.badURL, userInfo: [NSLocalizedDescriptionKey: "s3cret"]),
            NSError(domain: "https://x.test/?token=s3cret", code: 1, userInfo: [NSLocalizedDescriptionKey: "s3cret"]),
            DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "s3cret")),
            StorageError(.other, "s3cret"),
        ] as [any Error])
    func `nothing of an error's own text gets out`(error: any Error) {
        let failure = FetchFailure.wrapping(error)
        var dumped = ""
        dump(failure, to: &dumped)
        for text in [
            failure.explanation, "\(failure)", String(reflecting: failure), failure.localizedDescription, dumped,
            "\(LarderError.fetch(failure))",
        ] {
            #expect(!text.contains("s3cret"))
            #expect(!text.contains("x.test") && !text.contains("example.test"))
        }
    }
}
