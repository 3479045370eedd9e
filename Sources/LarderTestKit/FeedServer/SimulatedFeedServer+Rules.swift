public import LarderKit

extension SimulatedFeedServer {
    /// How the server answers: what it understands, and what it makes of what it does not.
    public struct Rules: Sendable, Hashable {
        /// What a server does with a bound or a continuation it does not understand.
        public enum Unsupported: Sendable, Hashable {
            /// It answers as if that had not been sent, as most servers do.
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

        /// Whether a typed page says that nothing follows it, where the server gives nothing to go on with.
        public enum EndOfList: Sendable, Hashable {
            case unsaid
            case said
        }

        /// How the server is told where to go on, and what it gives to go on with. Whichever it is, a request without a
        /// continuation asks for the first page.
        public enum Continuations: Sendable, Hashable {
            /// By bounds. A continuation is not understood.
            case none
            /// By the cursor of the answer before; bounds are not understood, nor by any kind below. It marks the place
            /// below the last item of its page, whether or not that item stays.
            case cursor
            /// By the link of the answer before, to such a place.
            case link
            /// By a page's number, counted in the list as it is now.
            case pageNumber(first: Int)
            /// By the number of items to leave out, counted in the list as it is now.
            case offset
        }

        /// For how long a cursor is good, in a link as well.
        public enum CursorLife: Sendable, Hashable {
            case unlimited
            /// After more than that many changes to the list it is refused with the status.
            case changes(Int, status: Int)
        }

        /// The largest page. A limit above it is capped without a word.
        public var cap = 40
        /// The bounds the server understands, unless it pages by ``continuations``.
        public var parameters = Set(Paging.Parameter.allCases)
        public var unsupported = Unsupported.ignored
        /// The bounds whose own item the server includes, against the usual rule.
        public var inclusive: Set<Paging.Parameter> = []
        public var missingAnchor = MissingAnchor.notFound
        public var idForm = IDForm.strings
        public var endOfList = EndOfList.unsaid
        public var continuations = Continuations.none
        public var cursorLife = CursorLife.unlimited
        /// Whether answers bear an entity tag, of their items and of whether more is said to follow.
        public var hasETags = true
        /// A list by position never ends: when a page reaches its end, older items are added there first, which makes a
        /// version.
        public var isEndless = false

        /// All bounds understood and exclusive, pages of up to 40.
        public init() {}

        /// The usual rules with some changed.
        public init(_ change: (inout Rules) -> Void) {
            change(&self)
        }
    }
}
