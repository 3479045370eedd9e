/// How large the parts of a request may be. What is larger is refused before it is kept.
package struct ParsingLimits: Sendable, Hashable {
    /// In bytes, without the line's end; 414 beyond.
    package var requestLine = 16 << 10
    /// All field lines together, in bytes; 431 beyond.
    package var fields = 64 << 10
    /// 431 beyond.
    package var fieldCount = 200
    /// In bytes, without the framing; 413 beyond.
    package var body = 1 << 30
    /// What a chunk says besides its size, in bytes.
    package var chunkExtension = 256
    /// What all chunks of a body say besides their sizes, and all trailer fields, in bytes.
    package var chunkExtras = 16 << 10

    package init() {}
}
