import Foundation
import LarderKit
import Synchronization

/// The network of a case: makes requests as an app would, answers them as the case says, and remembers them.
final class ScriptedOrigin: Sendable {
    private struct State {
        var log: [AskedRequest] = []
        var answers = StepAnswers.ofTheServer
        var time = 0.0
        var server: ListServer?
        var recording: Recording?
        /// What was answered by script, by URL: a page that is asked for once more, to see whether it has changed, has not.
        var scripted: [String: ScriptedAnswer] = [:]
        var isFirst = true

        mutating func remember(_ answer: ScriptedAnswer, to request: AskedRequest) {
            guard case .http(200, _, let body) = answer.content, (try? JSONSerialization.jsonObject(with: body)) != nil
            else { return }
            scripted[request.url] = answer
        }
    }

    private let state: Mutex<State>
    /// The list's own URL.
    let base: String
    private let authorization: String?
    private let envelope: Envelope
    private let sinceCountsFromOldest: Bool

    init(_ script: FeedScript, recording: Recording?) {
        let server = script.server.map { ListServer($0, rule: script.rule, words: script.paging) }
        state = Mutex(State(server: server, recording: recording))
        base = recording?.start ?? "https://api.example.test/t"
        authorization = script.authorization
        envelope = script.envelope
        sinceCountsFromOldest = script.rule.since.isUnderstood && script.rule.since.countsFromOldest
    }

    /// All requests so far.
    var requests: [AskedRequest] { state.withLock { $0.log } }

    /// What time it is in the case.
    var time: Double { state.withLock { $0.time } }

    /// What is answered from now on, and what time it is.
    func prepare(_ answers: StepAnswers, at time: Double) {
        state.withLock { state in
            state.answers = answers
            state.time = time
            state.isFirst = true
        }
    }

    func fetch(_ page: PageRequest) async throws -> RawAnswer {
        let url = try url(for: page)
        let request = AskedRequest(url: url, isAuthorized: authorization != nil)
        let answer = state.withLock { state in
            state.log.append(request)
            return self.answer(to: request, &state)
        }
        switch answer.content {
        case .failure(let failure):
            throw failure
        case .http(let status, let headers, let body):
            return RawAnswer(
                status: status, headers: headers, body: envelope.wrapping(body), url: URL(string: url))
        }
    }

    // MARK: Asking

    private func url(for page: PageRequest) throws -> String {
        guard let list = URL(string: base), var parts = URLComponents(url: list, resolvingAgainstBaseURL: false) else {
            return base
        }
        if case .link = page.continuation { return try page.url(from: list).absoluteString }
        // A recording is asked for its first page just as it was.
        let names = sinceCountsFromOldest ? (since: "", min: "since_id") : (since: "since_id", min: "min_id")
        let items = page.queryItems(since: names.since, min: names.min)
        var query = parts.queryItems ?? []
        query += items.filter { item in !query.contains { $0.name == item.name } }
        parts.queryItems = query
        return parts.string ?? base
    }

    // MARK: Answering

    private func answer(to request: AskedRequest, _ state: inout State) -> ScriptedAnswer {
        defer { state.isFirst = false }
        switch state.answers {
        case .always(let answer):
            if !state.isFirst, let earlier = state.scripted[request.url] { return earlier }
            state.remember(answer, to: request)
            return answer
        case .inTurn(let answers):
            guard let first = answers.first else { break }
            state.answers = .inTurn(Array(answers.dropFirst()))
            state.remember(first, to: request)
            return first
        case .ofTheServer:
            break
        }
        if !state.isFirst, let earlier = state.scripted[request.url] { return earlier }
        if state.recording != nil { return state.recording?.answer(request.url) ?? Self.unknown }
        guard let page = state.server?.page(for: request, at: state.time) else { return Self.unknown }
        switch page {
        case .refusal(let status):
            return ScriptedAnswer(status: status, headers: [:], body: Data())
        case .items(let items, let next):
            return pageAnswer(items, next, isLink: state.server?.words.kind == .link)
        }
    }

    private func pageAnswer(
        _ items: [ServerScript.Item], _ next: ListServer.Next?, isLink: Bool
    ) -> ScriptedAnswer {
        var headers: HeaderFields = ["Content-Type": "application/json"]
        if isLink, let next {
            headers.append(name: "Link", value: "<\(base)?\(next.name)=\(next.value)>; rel=\"next\"")
        }
        return ScriptedAnswer(
            status: 200, headers: headers, body: envelope.body(of: items, cursor: isLink ? nil : next?.value))
    }

    /// The answer to what nobody has scripted: a failure that says nothing of the list.
    private static var unknown: ScriptedAnswer { ScriptedAnswer(status: 503, headers: [:], body: Data()) }
}
