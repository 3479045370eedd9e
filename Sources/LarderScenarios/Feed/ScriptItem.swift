import LarderKit

/// An item as the reader of a case models it: whatever its id, and perhaps a text. One whose text is something else does
/// not decode.
struct ScriptItem: Sendable, Decodable {
    let text: String?
}
