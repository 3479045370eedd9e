/// A host, perhaps with a port (RFC 9110 section 7.2, RFC 3986 section 3.2).
enum Authority {
    /// Takes an empty one: who needs a host looks for that.
    static func check(_ bytes: UnsafeRawBufferPointer, _ place: Range<Int>) throws(FrontRefusal) {
        var index = place.lowerBound
        if index < place.upperBound, bytes[index] == UInt8(ascii: "[") {
            index += 1
            let start = index
            while index < place.upperBound, isOfAddress(bytes[index]) { index += 1 }
            guard index > start, index < place.upperBound, bytes[index] == UInt8(ascii: "]") else { throw invalid }
            index += 1
        } else {
            while index < place.upperBound, ByteClass.isHostName(bytes[index]) { index += 1 }
            guard index > place.lowerBound || index == place.upperBound else { throw invalid }
        }
        guard index < place.upperBound else { return }
        guard bytes[index] == UInt8(ascii: ":"), bytes[index + 1..<place.upperBound].allSatisfy(ByteClass.isDigit)
        else {
            throw invalid
        }
    }

    /// Of an address in brackets, as far as which bytes it may hold.
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        ByteClass.hexValue(byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }

    private static var invalid: FrontRefusal { FrontRefusal(400, "Host, or the authority of the target, is not valid") }
}
