import Foundation

/// What a fetch closure of a feed brought, in one shape for all of them.
struct FetchedPage: Sendable {
    var ids: [ItemID?]
    var bodies: PageBodies
    var follows: PageFollowing
    /// What the server gave to go on with leads to another origin.
    var isForeign = false
    var lifetime: Duration?
    var initialAge: Duration = .zero
    var validators = Validators()
    var envelope: Data?
    /// How many items were left out.
    var leftOut = 0
}

extension FetchedPage {
    /// A typed page: its items encoded one by one.
    init<Item>(
        _ page: Page<Item>, codec: Codec<Item>, id: (Item) -> ItemID
    ) throws {
        ids = page.items.map(id)
        bodies = .separate(try page.items.map(codec.encode))
        follows = page.follows
        validators = page.validators
    }

    /// A raw answer: its items as ranges of its bytes, and what follows them as the feed's kind of paging has it.
    init(
        _ answer: RawAnswer, json: JSONItems, kind: Paging.Kind, request: PageRequest, now: Date
    ) throws(FetchFailure) {
        validators = Validators(answer.headers)
        let freshness = AnswerFreshness(answer.headers)
        lifetime = freshness.lifetime
        initialAge = freshness.initialAge
        switch AnswerVerdict(answer, isJSONDue: true, now: now) {
        case .failure(let failure):
            throw failure
        case .notModified where request.validators?.isEmpty == false:
            (ids, bodies, follows) = ([], .separate([]), .unchanged)
            return
        case .notModified:
            throw FetchFailure(.wrongAnswer, "the server said that nothing has changed, which was not asked")
        case .value:
            break
        }
        do {
            let items = try JSONSplitter.items(in: answer.body, at: json.items, id: json.id)
            guard items.isEmpty || items.contains(where: { $0.id != nil }) else {
                throw FetchFailure(.wrongAnswer, "none of the \(items.count) items has an id at \(json.id)")
            }
            ids = items.map { $0.id }
            let start = answer.body.startIndex
            bodies = .ranges(items.map { $0.range }, of: start == 0 ? answer.body : Data(answer.body))
            let next = try NextPage(answer, json: json, kind: kind)
            follows = next.follows
            isForeign = next.isForeign
            envelope = json.keepsEnvelope ? try json.envelope(of: answer.body) : nil
        } catch let failure as FetchFailure {
            throw failure
        } catch {
            throw FetchFailure(.wrongAnswer, "\(error)")
        }
    }

    /// The same page without what exceeds `count`, at the end that lies away from where it was counted from. Whatever the
    /// server said of what follows is about what lies beyond that.
    func cut(to count: Int, countedFrom end: PageRequest.End) -> FetchedPage {
        guard ids.count > count else { return self }
        var page = self
        let kept = end == .newest ? 0..<count : ids.count - count..<ids.count
        page.ids = Array(ids[kept])
        page.bodies = bodies.subset(kept)
        page.leftOut = ids.count - count
        page.follows = .unknown
        return page
    }
}

extension PageBodies {
    fileprivate func subset(_ kept: Range<Int>) -> PageBodies {
        switch self {
        case .ranges(let ranges, let data): .ranges(Array(ranges[kept]), of: data)
        case .separate(let values): .separate(Array(values[kept]))
        }
    }
}
