import Foundation
import LarderHTTPCache
import LarderKit

/// What an HTTP cache keeps of a URL, for when nothing else is stored of it and the server cannot be asked.
struct KeptAnswer: Sendable {
    let body: Data
    let facts: Report.Facts

    /// Whether there is one, fit to be served or not.
    static func isStored(of endpoint: Endpoint, in partition: Partition) -> Bool {
        (try? AnswerInspector(partition).answers(of: endpoint.url).isEmpty) == false
    }

    /// - Parameter failure: Why there is nothing else.
    /// - Returns: `nil` where nothing may be served in place of the server's answer, or it is no JSON.
    init?(of endpoint: Endpoint, instead failure: LarderError, in partition: Partition) {
        let fetchFailure: FetchFailure?
        switch failure {
        case .notStored: fetchFailure = nil
        case .fetch(let failure) where [.offline, .timedOut].contains(failure.kind): fetchFailure = failure
        default: return nil
        }
        let inspector = AnswerInspector(partition)
        guard let answers = try? inspector.answers(of: endpoint.url) else { return nil }
        let kind: CacheKind = answers.contains { $0.kind == .private } ? .private : .shared
        let now = Date()
        // What an offline rule keeps is its proxy's to serve.
        let context = ReuseContext(kind: kind, now: now, isOffline: true)
        let request = HTTPRequestHead(url: endpoint.url)
        guard case .serve(let serving) = HTTPRules.plan(request, answers.map(\.answer), context) else { return nil }
        let found = answers[serving.index]
        var body = Data()
        guard serving.form == .whole, 200..<300 ~= found.answer.status,
            (try? inspector.readBody(of: found, { body.append($0) })) == true,
            (try? JSONSplitter.validate(body)) != nil
        else { return nil }
        self.body = body
        let age = FreshnessFacts(found.answer, kind).age(at: now)
        facts = Report.Facts(
            storedAt: now.addingTimeInterval(-age), age: ListedAnswer.duration(age), isStale: serving.stale != nil,
            failure: fetchFailure)
    }
}
