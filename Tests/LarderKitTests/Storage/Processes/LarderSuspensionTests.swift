import Foundation
import LarderSQLite
import LarderTestKit
import Testing

@testable import LarderKit

/// A suspended larder shows what is stored, and stores what came when it is over.
@Suite(.timeLimit(.minutes(5))) struct LarderSuspensionTests {
    private typealias Gate = LarderTestKit.Gate

    private let folder: TestFolder
    private let larder: Larder

    init() throws {
        folder = try TestFolder()
        larder = try Larder(.folder(folder.url), environment: TestWorld().environment)
    }

    private static let storages: [ResourceOptions.Storage] = [.database, .files]

    @Test(arguments: storages.indices)
    func `what is stored meanwhile waits, and reads do not`(storage: Int) async throws {
        let options = ResourceOptions(storage: Self.storages[storage])
        let resource = larder.common.resource("k", options: options) { 2 }
        try await resource.store(1)
        await larder.suspend()
        let write = Task { try await resource.store(3) }
        #expect(try resource.peek()?.value == 1)
        let other = try Database(.file(folder.url("cache.sqlite").path))
        try await other.write { _ in }
        larder.resume()
        try await write.value
        #expect(try resource.peek()?.value == 3)
    }

    @Test(arguments: storages.indices)
    func `what a request brings is stored afterwards`(storage: Int) async throws {
        let options = ResourceOptions(storage: Self.storages[storage])
        let gate = Gate()
        let resource = larder.common.resource("k", options: options) {
            try await gate.wait()
            return 2
        }
        try await resource.store(1)
        let read = Task { try await resource.read(.networkOnly) }
        await gate.reached(times: 1)
        await larder.suspend()
        gate.open()
        larder.resume()
        #expect(try await read.value.warnings.isEmpty)
        #expect(try resource.peek()?.value == 2)
    }

    @Test func `a larder that is closed meanwhile hangs nobody`() async throws {
        let options = ResourceOptions(storage: .files)
        await larder.suspend()
        let writes = [
            Task { [larder] in try await larder.common.resource("a") { 1 }.store(1) },
            Task { [larder] in try await larder.common.resource("b", options: options) { 1 }.store(1) },
        ]
        larder.close()
        for write in writes { _ = await write.result }
        await larder.suspend()
        larder.resume()
        #expect(try Larder(.folder(folder.url)).common.resource("c") { 1 }.peek() == nil)
    }
}
