import Foundation

/// What a fetch closure of a feed brought, in one shape for all of them.
struct FetchedPage: Sendable {
    let ids: [ItemID?]
    let bodies: PageBodies
    let follows: PageFollowing
    var lifetime: Duration?
    var initialAge: Duration = .zero
}

extension FetchedPage {
    /// A typed page: its items encoded one by one.
    init<Item>(
        _ page: Page<Item>, codec: Codec<Item>, id: (Item) -> ItemID
    ) throws {
        ids = page.items.map(id)
        bodies = .separate(try page.items.map(codec.encode))
        follows = page.follows
    }

    /// A raw answer: its items as ranges of its bytes.
    init(_ answer: RawAnswer, json: JSONItems, now: Date) throws(FetchFailure) {
        switch AnswerVerdict(answer, isJSONDue: true, now: now) {
        case .failure(let failure):
            throw failure
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
        } catch let failure as FetchFailure {
            throw failure
        } catch {
            throw FetchFailure(.wrongAnswer, "\(error)")
        }
        follows = .unknown
        let freshness = AnswerFreshness(answer.headers)
        lifetime = freshness.lifetime
        initialAge = freshness.initialAge
    }
}

/// Where the items of a raw JSON answer are, and where in each item its id is.
public struct JSONItems: Sendable, Hashable {
    public let items: JSONPath
    public let id: JSONPath

    /// Items in an array that is the whole answer, ids under the name `id`.
    public init() {
        items = .root
        id = .id
    }

    /// - Parameters:
    ///   - items: The path of the array in the answer, for example `$.data`.
    ///   - id: The path of the id in an item, for example `$.key`.
    /// - Throws: ``JSONPathError`` for a text that names no single value.
    public init(at items: String = "$", id: String = "$.id") throws(JSONPathError) {
        self.items = try JSONPath(items)
        self.id = try JSONPath(id)
    }
}

extension JSONPath {
    static let id = JSONPath(steps: [.key(Array("id".utf8))])
}
