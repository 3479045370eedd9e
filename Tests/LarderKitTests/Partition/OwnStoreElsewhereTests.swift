import LarderTestKit
import Testing

@testable import LarderKit

/// What a process keeps in a store of the app's own, when another process signs out.
@Suite(.timeLimit(.minutes(5))) struct OwnStoreElsewhereTests {
    @Test func `new handles are of use when the store has been emptied, and not before`() async throws {
        let (folder, world, store) = (try TestFolder(), TestWorld(), MemoryStore())
        let here = try LarderCore(folder: folder.url, environment: world.environment)
        let there = try LarderCore(folder: folder.url, environment: world.environment)
        let options = ResourceOptions(storage: .store(store))
        _ = try await Partition(core: here, name: "me").resource("k", options: options) { 1 }.read()
        try await Partition(core: there, name: "me").signOut()
        while !Task.isCancelled {
            let resource = Partition(core: here, name: "me").resource("k", options: options) { 2 }
            do throws(LarderError) {
                #expect(try resource.peek() == nil)
                break
            } catch {
                guard case .signedOut = error else { throw error }
                await Task.yield()
            }
        }
        #expect(try await Partition(core: here, name: "me").resource("k", options: options) { 2 }.read().value == 2)
    }
}
