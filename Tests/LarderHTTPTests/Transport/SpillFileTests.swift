import Foundation
import Testing

@testable import LarderHTTP

@Suite struct SpillFileTests {
    @Test func firstInFirstOut() throws {
        var file = try SpillFile()
        #expect(try file.isEmpty && file.next(upTo: 10) == nil)
        try file.append(Data("one".utf8))
        try file.append(Data("two".utf8))
        #expect(try file.next(upTo: 4) == Data("onet".utf8))
        try file.append(Data("three".utf8))
        #expect(try file.next(upTo: 100) == Data("wothree".utf8))
        #expect(try file.isEmpty && file.next(upTo: 1) == nil)
        try file.append(Data("again".utf8))
        #expect(try file.next(upTo: 100) == Data("again".utf8))
    }
}
