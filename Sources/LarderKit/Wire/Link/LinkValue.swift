/// One link of an answer.
package struct LinkValue: Sendable, Hashable {
    package struct Parameter: Sendable, Hashable {
        /// In small letters.
        package let name: String
        /// Without its quotes; `nil` when there is none.
        package let value: String?
    }

    /// The URI reference between the angle brackets, as served.
    package let target: String
    /// What the target is to the page, in small letters: relation types compare without regard to case (RFC 8288 section
    /// 2.1). Of the first `rel` alone (section 3.3). `rev` says nothing here: it is deprecated, and means the reverse.
    package let relations: [String]
    /// All parameters, in order, with repeats and unknown ones.
    package let parameters: [Parameter]

    init(target: String, parameters: [Parameter]) {
        self.target = target
        self.parameters = parameters
        let rel = parameters.first { $0.name == "rel" }?.value ?? ""
        relations = rel.utf8.split(whereSeparator: \.isBlank).map { relation in
            String(decoding: relation.map(\.asciiLowercased), as: UTF8.self)
        }
    }

    /// Whether the link leads from the page it came with. One with an `anchor` leads from somewhere else (section 3.2);
    /// an empty anchor is the page itself.
    package var isFromThePage: Bool {
        parameters.first { $0.name == "anchor" }?.value.map(\.isEmpty) ?? true
    }

    package func has(_ relation: String) -> Bool {
        relations.contains { $0.caseInsensitivelyEqualsASCII(relation) }
    }
}
