import Foundation
import LarderKit
import LarderTestKit

/// What there is when a case begins.
struct FaultStarts: Sendable {
    private let closed: DiskContents
    private let unclean: DiskContents

    init() async throws {
        let scratch = try ScratchFolder()
        let disk = FaultyDisk()
        try FileManager.default.createDirectory(at: scratch.cache, withIntermediateDirectories: true)
        try disk.record(scratch.cache)
        let scene = try FaultScene(scratch.cache, on: disk)
        try await scene.stock()
        let recording = disk.endRecording() ?? DiskRecording(beginning: DiskContents())
        scene.larder.close()
        closed = try DiskContents(of: scratch.cache)
        unclean = PowerLoss.everything(of: recording)
    }

    subscript(start: FaultCase.Start) -> DiskContents {
        switch start {
        case .open, .closed: closed
        case .unclean: unclean
        case .nothing: DiskContents()
        }
    }
}
