import Foundation
import LarderTestKit
import Testing

@testable import LarderKit

/// Damaged databases are kept for whoever wants to look, and neither too many nor for ever.
@Suite struct SetAsideTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private var setAside: SetAside { SetAside(cache: CacheFiles(folder: folder.url, disk: SystemDisk())) }

    private var kept: [String] { folder.contents().filter { $0.hasSuffix("/cache.sqlite") } }

    @Test func `the last three are kept, with their logs`() throws {
        for number in 0..<5 { _ = try setAside.keep(Data("\(number)".utf8), log: Data("log".utf8)) }
        setAside.trim()
        #expect(kept.count == 3)
        #expect(try kept.map { try String(contentsOf: folder.url($0), encoding: .utf8) }.contains("4"))
        #expect(folder.contents().filter { $0.hasSuffix("-wal") }.count == 3)
    }

    @Test func `they go after a while, and not before`() throws {
        _ = try setAside.keep(Data("damaged".utf8), log: nil)
        setAside.forget(olderThan: .seconds(3600), now: Date())
        #expect(kept.count == 1)
        setAside.forget(olderThan: .seconds(3600), now: Date() + 7200)
        #expect(kept.isEmpty)
    }
}
