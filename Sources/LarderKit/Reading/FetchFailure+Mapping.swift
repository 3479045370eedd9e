import Foundation

extension FetchFailure {
    /// Any error a fetch closure may throw, as a failure. Only its type goes into the explanation, since its own text may
    /// hold a URL or a token.
    package static func wrapping(_ error: any Error) -> FetchFailure {
        if let failure = error as? FetchFailure { return failure }
        // A fetch closure that reads something else fails for that one's reason.
        if case .fetch(var failure) = error as? LarderError {
            failure.isOfAnother = true
            return failure
        }
        if error is CancellationError { return FetchFailure(.other, "the request was cancelled") }
        let details = error as NSError
        guard details.domain == NSURLErrorDomain else {
            return FetchFailure(.other, "the request failed: \(type(of: error))")
        }
        return switch details.code {
        case NSURLErrorTimedOut:
            FetchFailure(.timedOut, "the server did not answer in time")
        case NSURLErrorNotConnectedToInternet, NSURLErrorCannotFindHost, NSURLErrorCannotConnectToHost,
            NSURLErrorNetworkConnectionLost, NSURLErrorDNSLookupFailed, NSURLErrorDataNotAllowed,
            NSURLErrorInternationalRoamingOff, NSURLErrorCallIsActive:
            FetchFailure(.offline, "the server could not be reached")
        case NSURLErrorUnknown where unknownIsOfTheWay, NSURLErrorBadServerResponse where unknownIsOfTheWay:
            FetchFailure(.offline, "the server could not be reached, or the connection was lost")
        case NSURLErrorUserAuthenticationRequired:
            FetchFailure(.unauthorised, "the server asks who is asking")
        case NSURLErrorBadServerResponse, NSURLErrorCannotDecodeContentData, NSURLErrorCannotParseResponse:
            FetchFailure(.wrongAnswer, "the answer could not be understood")
        default:
            FetchFailure(.other, "the request failed (URL error \(details.code))")
        }
    }

    /// Whether `URLSession` is the one of FoundationNetworking, which has two names for what others tell apart: "unknown" where
    /// no route leads to the host, no secure connection comes about or the body is cut, and "bad server response" where the
    /// connection is closed before an answer.
    #if canImport(Darwin)
        private static let unknownIsOfTheWay = false
    #else
        private static let unknownIsOfTheWay = true
    #endif
}
