import LarderKit

/// An item as the reader of a case models it.
protocol ReaderItem: Sendable, Decodable {
    var text: String? { get }
}

/// Whatever its id, and perhaps a text. One whose text is something else does not decode.
struct ScriptItem: ReaderItem {
    let text: String?
}

/// An item that has to have a text.
struct ScriptTextItem: ReaderItem {
    let text: String?

    private enum CodingKeys: CodingKey {
        case text
    }

    init(from decoder: any Decoder) throws {
        text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
    }
}
