import Foundation
import Testing

@testable import LarderCLI

@Suite struct PathKindTests {
    @Test func whatStandsThereIsTold() throws {
        let scratch = try Scratch()
        _ = try scratch.newFile("file")
        #expect(PathKind(scratch.path("file")) == .file)
        #expect(PathKind(scratch.url.path) == .folder)
        #expect(PathKind(scratch.path("nothing")) == .none)
        #expect(PathKind(scratch.path("file/below")) == .none)
    }

    @Test(.enabled(if: getuid() != 0, "root may read anything"))
    func whatMayNotBeReadIsThereAllTheSame() throws {
        let scratch = try Scratch()
        _ = try scratch.newFile("file")
        #expect(chmod(scratch.path("file"), 0) == 0)
        #expect(PathKind(scratch.path("file")) == .unreadable)
    }
}
