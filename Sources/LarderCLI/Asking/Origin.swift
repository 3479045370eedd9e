import Foundation
import LarderKit
import LarderServer

/// What the tool asks an API with: GET over libcurl, with the user's header fields.
struct Origin: Sendable {
    /// One request as the client saw it.
    struct Exchange: Sendable, Hashable {
        let url: String
        /// `nil` when no answer came.
        let status: Int?
        /// The bytes of the body.
        let bytes: Int
    }

    let endpoint: Endpoint
    let headers: RequestHeaders
    let timeout: Duration
    var retry = RetryPolicy.none
    var client = CurlClient()
    /// Hears of each request once it has ended.
    var observe: @Sendable (Exchange) -> Void = { _ in }

    /// - Parameter url: The endpoint's, perhaps with parameters.
    func get(_ url: String, conditions: HeaderFields = [:]) async throws(FetchFailure) -> RawAnswer {
        let answer: RawAnswer
        do throws(FetchFailure) {
            answer = try await client.send(url: url, headers: fields(with: conditions), timeout: timeout)
        } catch {
            observe(Exchange(url: url, status: nil, bytes: 0))
            throw error
        }
        observe(Exchange(url: url, status: answer.status, bytes: answer.body.count))
        if let failure = redirection(answer) { throw failure }
        return answer
    }

    private func fields(with conditions: HeaderFields) -> HeaderFields {
        var fields = headers.fields
        for field in conditions.fields { fields.append(name: field.name, value: field.value) }
        // Some APIs answer in HTML, or not at all, to a client that does not say what it takes and who it is.
        if fields["Accept"] == nil { fields.append(name: "Accept", value: "application/json, */*;q=0.1") }
        if fields["User-Agent"] == nil { fields.append(name: "User-Agent", value: "larder") }
        return fields
    }

    /// A redirect that was not followed leads to another origin, or in circles.
    private func redirection(_ answer: RawAnswer) -> FetchFailure? {
        guard [301, 302, 303, 307, 308].contains(answer.status) else { return nil }
        let target = answer.headers["Location"].flatMap { URL(string: $0, relativeTo: URL(string: endpoint.url)) }
        let place = target.flatMap { try? Endpoint($0.absoluteString) }.map { target in
            // A query is where sign-in pages are told of tokens.
            let address = Printable.line(String(target.url.prefix { $0 != "?" }))
            return (target.origin == endpoint.origin ? "in circles, to " : "to ") + address
        }
        return FetchFailure(
            .unexpectedStatus(answer.status),
            "the server redirects \(place ?? "elsewhere"), which is not followed (\(answer.status))")
    }
}
