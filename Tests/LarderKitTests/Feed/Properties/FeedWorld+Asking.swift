import Foundation
import LarderSQLite
import LarderTestKit

@testable import LarderKit

extension FeedWorld {
    /// Sends a request to the server; its answer is made now and lands later.
    func ask(_ question: FeedHistory.Question, in db: borrowing Connection) throws {
        let request = try request(question, in: db)
        if let fault = question.fault { server.inject(fault) }
        send(request, nameless: question.nameless)
    }

    func send(_ request: PageRequest, nameless: Int? = nil) {
        let stamp = nextStamp()
        let answer = server.answer(request)
        var ids: [ItemID?] = answer.ids
        if let nameless, !ids.isEmpty { ids[nameless % ids.count] = nil }
        log.append("  @\(stamp) \(request.summary) of v\(answer.version): \(answer.summary(ids))")
        guard answer.status == 200 else { return }

        let list = listing(at: answer.version)
        let missing = [request.above, request.below].compactMap { $0 }.filter { list.places[$0] == nil }
        let isUnanswerable = !setup.order.isByID && !missing.isEmpty && setup.rules.missingAnchor == .empty
        let isLast = setup.isEndSaid && !answer.hasMore && !isUnanswerable
        versions[stamp] = answer.version
        ignoredBounds.formUnion(missing.filter { setup.ignores($0, of: request) || hidden.contains($0) })
        let shown = answer.ids.contains { isInside($0, request, list) }
        if !shown, isUnanswerable || list.ids.contains(where: { isInside($0, request, list) }) { lies.insert(stamp) }

        let page = IncomingPage(
            request: request, ids: ids, bodies: .separate(answer.items.map { Data($0.text.utf8) }),
            follows: isLast ? .nothing : .unknown, codec: codec, stamp: Stamp(order: stamp, at: stamp, lifetime: nil),
            storedAt: stamp)
        send(Flight(request: request, page: page, version: answer.version))
    }

    /// A request such as reads make, or another that the server understands.
    private func request(_ question: FeedHistory.Question, in db: borrowing Connection) throws -> PageRequest {
        let limit = question.limit
        let ids = try candidates(in: db)
        guard !ids.isEmpty else { return PageRequest(limit: limit) }
        let anchor = ids[question.anchor % ids.count]
        let other = ids[question.other % ids.count]
        switch question.kind {
        case .newest:
            return PageRequest(limit: limit)
        case .refresh:
            return try reader.refreshRequest(limit: limit, overlap: 1, in: db)
        case .older:
            return PageRequest(below: anchor, limit: limit)
        case .missingOlder:
            let stretch = try reader.stretch(at: .older(than: anchor), limit: limit, in: db)
            return stretch.missing ?? stretch.whole
        case .newer:
            let stretch = try reader.stretch(at: .newer(than: anchor), limit: limit, in: db)
            return question.other.isMultiple(of: 2) ? stretch.missing ?? stretch.whole : stretch.whole
        case .between:
            guard setup.parameters.contains(.since) else { return PageRequest(below: anchor, limit: limit) }
            return PageRequest(above: other, below: anchor, limit: limit)
        case .upward:
            guard setup.parameters.contains(.min) else { return PageRequest(below: anchor, limit: limit) }
            return PageRequest(above: anchor, countedFrom: .oldest, limit: limit)
        }
    }
}

extension PageRequest {
    var summary: String {
        var parts: [String] = []
        if let above { parts.append("above \(above.rawValue.debugDescription)") }
        if let below { parts.append("below \(below.rawValue.debugDescription)") }
        if countedFrom == .oldest { parts.append("from the oldest") }
        return "asks \(parts.isEmpty ? "the newest" : parts.joined(separator: " ")), \(limit)"
    }
}

extension SimulatedFeedServer.Answer {
    func summary(_ ids: [ItemID?]) -> String {
        guard status == 200 else { return "status \(status)" }
        let shown = ids.map { $0.map { $0.rawValue.debugDescription } ?? "nil" }.joined(separator: " ")
        return "[\(shown)]\(hasMore ? " and more" : "")\(fault.map { ", \($0)" } ?? "")"
    }
}
