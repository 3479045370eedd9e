/// The links of an answer, as its `Link` fields give them (RFC 8288 section 3).
///
/// Reads whatever stands there and never fails: a member that cannot be read spoils only itself, up to the next comma
/// outside quotes. Takes time in proportion to the length, whatever stands there.
package struct LinkHeader: Sendable, Hashable {
    /// All links, in order, of every relation and context.
    package let links: [LinkValue]
    /// Whether a member could not be read. That a link is absent proves nothing then.
    package let isGarbled: Bool

    /// Reads one field value.
    package init(_ value: String) {
        self.init(values: [value])
    }

    /// Reads every `Link` line. Each by itself: a quote left open in one hides nothing in the next.
    package init(_ headers: HeaderFields) {
        self.init(values: headers.values(of: "Link"))
    }

    private init(values: [String]) {
        var links: [LinkValue] = []
        var isGarbled = false
        for value in values {
            var parser = LinkParser(bytes: Array(value.utf8))
            links += parser.parse()
            isGarbled = isGarbled || parser.isGarbled
        }
        self.links = links
        self.isGarbled = isGarbled
    }

    /// The target of the first link from the page itself that has `relation`, as served.
    package func target(of relation: String) -> String? {
        links.first { $0.isFromThePage && $0.has(relation) }?.target
    }

    /// The target of the first link from the page itself that has `relation`, as served.
    package static func target(of relation: String, in headers: HeaderFields) -> String? {
        LinkHeader(headers).target(of: relation)
    }
}
