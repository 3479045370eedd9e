package import Foundation

/// The splitter over `Data`. Ranges count from the first byte: add `startIndex` to use them on a slice.
extension JSONSplitter {
    /// Returns if `data` is one JSON value with nothing but white space around it.
    package static func validate(_ data: Data) throws(JSONSplitError) {
        try withBytes(of: data) { (bytes) throws(JSONSplitError) in try validate(bytes) }
    }

    /// The bytes of the value at `path`, or `nil` when the answer has none there.
    package static func range(of path: JSONPath, in data: Data) throws(JSONSplitError) -> Range<Int>? {
        try withBytes(of: data) { (bytes) throws(JSONSplitError) in try range(of: path, in: bytes) }
    }

    /// The elements of the array at `path`, in order, each with the id that stands at `idPath` within it.
    package static func items(
        in data: Data, at path: JSONPath, id idPath: JSONPath
    ) throws(JSONSplitError) -> [JSONItem] {
        try withBytes(of: data) { (bytes) throws(JSONSplitError) in try items(in: bytes, at: path, id: idPath) }
    }

    /// `withUnsafeBytes` loses the type of the error it passes on; this keeps it.
    private static func withBytes<Result>(
        of data: Data, _ body: (UnsafeRawBufferPointer) throws(JSONSplitError) -> Result
    ) throws(JSONSplitError) -> Result {
        try data.withUnsafeBytes { bytes in
            Swift.Result { () throws(JSONSplitError) in try body(bytes) }
        }.get()
    }
}
