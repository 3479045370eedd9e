public import LarderKit

extension SimulatedFeedServer {
    /// How the server answers: what it understands, and what it makes of what it does not.
    public struct Rules: Sendable, Hashable {
        /// What a server does with a bound it does not understand.
        public enum Unsupported: Sendable, Hashable {
            /// It answers as if the bound had not been sent, as most servers do.
            case ignored
            /// It answers 400.
            case refused
        }

        /// What a list by position does with a bound whose item it does not have.
        public enum MissingAnchor: Sendable, Hashable {
            /// It answers 404.
            case notFound
            /// It answers with no item.
            case empty
            /// It answers as if the bound had not been sent.
            case fromTheHead
        }

        /// How ids stand in JSON.
        public enum IDForm: Sendable, Hashable {
            case strings
            /// Ids that are decimal numbers stand as such, with all their digits; others stay strings.
            case numbers
        }

        /// Whether a typed page says that nothing follows it.
        public enum EndOfList: Sendable, Hashable {
            case unsaid
            case said
        }

        /// The largest page. A limit above it is capped without a word.
        public var cap = 40
        /// The bounds the server understands.
        public var parameters = Set(Paging.Parameter.allCases)
        public var unsupported = Unsupported.ignored
        /// The bounds whose own item the server includes, against the usual rule.
        public var inclusive: Set<Paging.Parameter> = []
        public var missingAnchor = MissingAnchor.notFound
        public var idForm = IDForm.strings
        public var endOfList = EndOfList.unsaid

        /// All bounds understood and exclusive, pages of up to 40.
        public init() {}

        /// The usual rules with some changed.
        public init(_ change: (inout Rules) -> Void) {
            change(&self)
        }
    }

    /// What goes wrong with one answer. Faults are asked for with ``SimulatedFeedServer/inject(_:times:)``.
    public enum Fault: Sendable, Hashable {
        /// The page's first item comes twice in a row.
        case duplicate
        /// The page's last item comes first.
        case unsorted
        /// That many items more than the limit and the cap allow, as far as there are.
        case oversize(by: Int)
        /// That many items fewer than there could be. What is missing follows.
        case short(by: Int)
        /// No item, whatever there is.
        case empty
        /// No page, but this status.
        case status(Int)
    }

    /// What the server answered.
    public struct Answer: Sendable, Hashable {
        /// 200, or why there is no page.
        public let status: Int
        /// In the server's order, newest first. A fault may break that.
        public let items: [Item]
        /// The version of the list that was looked at.
        public let version: Int
        /// Whether the interval, as the server understood it, holds more in the direction it was counted: the truth,
        /// whether or not the server says it.
        public let hasMore: Bool
        /// The fault that was injected into it.
        public let fault: Fault?

        public var ids: [ItemID] { items.map(\.itemID) }
    }

    /// A request and what was answered.
    public struct Exchange: Sendable, Hashable {
        public let request: PageRequest
        public let answer: Answer
    }
}
