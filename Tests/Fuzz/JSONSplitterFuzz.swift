// A libFuzzer entry for the JSON splitter, built by scripts/fuzz together with the splitter's sources. In no target: it
// needs its own main, and a sanitizer.

/// Paths that reach into the shapes a fuzzer finds, and past them.
private let paths = ["$", "a", "a.b", "$[0]", "$[1].a", "['']", "id", "a.a.a.a"].compactMap { try? JSONPath($0) }

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    guard let selector = input.first else { return 0 }
    // A copy of its own, so that the address sanitizer sees a read of one byte too many.
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: count - 1, alignment: 1)
    defer { copy.deallocate() }
    copy.copyBytes(from: input.dropFirst())
    check(
        UnsafeRawBufferPointer(copy), at: paths[Int(selector) % paths.count],
        id: paths[Int(selector) / paths.count % paths.count])
    return 0
}

private func check(_ bytes: UnsafeRawBufferPointer, at path: JSONPath, id: JSONPath) {
    let isValid = isValid(bytes)
    do throws(JSONSplitError) {
        let range = try JSONSplitter.range(of: path, in: bytes)
        precondition(isValid, "a range of an invalid text")
        if let range { checkValue(range, in: bytes) }
    } catch {
        precondition(!isValid, "no range in a valid text")
    }
    do throws(JSONSplitError) {
        let items = try JSONSplitter.items(in: bytes, at: path, id: id)
        precondition(isValid, "items of an invalid text")
        var end = 0
        for item in items {
            precondition(item.range.lowerBound >= end, "items overlap, or are out of order")
            checkValue(item.range, in: bytes)
            end = item.range.upperBound
            precondition(item.id?.rawValue.isEmpty != true, "an empty id")
        }
    } catch {
        let isOtherShape = if case .noSuchPath = error { true } else if case .notAnArray = error { true } else { false }
        precondition(isOtherShape == isValid, "the reason contradicts the validation")
        precondition(!error.description.isEmpty)
    }
}

private func checkValue(_ range: Range<Int>, in bytes: UnsafeRawBufferPointer) {
    precondition(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= bytes.count, "a range out of bounds")
    let value = UnsafeRawBufferPointer(rebasing: bytes[range])
    precondition(isValid(value), "a value that is invalid by itself")
    let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
    precondition(!spaces.contains(value[0]) && !spaces.contains(value[value.count - 1]), "white space within a range")
}

private func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    do throws(JSONSplitError) {
        try JSONSplitter.validate(bytes)
        return true
    } catch {
        return false
    }
}
