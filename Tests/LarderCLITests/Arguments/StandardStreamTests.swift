import Dispatch
import Foundation
import Testing

@testable import LarderCLI

@Suite struct StandardStreamTests {
    @Test func everythingIsWritten() throws {
        let pipe = Pipe()
        try StandardStream(descriptor: pipe.fileHandleForWriting.fileDescriptor).line("größer")
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() == Data("größer\n".utf8))
    }

    @Test func aPipeNobodyReadsIsAnErrorAndNotTheEnd() throws {
        StandardStream.prepare()
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let stream = StandardStream(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        #expect(throws: StreamFailure.closed) { try stream.line("lost") }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "a device that is always full"))
    func aFullDiskIsToldByItsCauseAndCostsARemarkNothing() throws {
        let file = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        #expect(throws: StreamFailure.failed(cause: String(cString: strerror(ENOSPC)))) {
            try StandardStream(descriptor: file.fileDescriptor).line("lost")
        }
        try StandardStream(descriptor: file.fileDescriptor, isForRemarks: true).line("lost")
    }

    @Test func moreThanAPipeHoldsIsWrittenAsItIsRead() async throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        // Not by a task: what blocks the few threads that run them may keep the other end from ever being served.
        async let reading = withCheckedContinuation { continuation in
            DispatchQueue(label: "reader").async {
                continuation.resume(returning: Result { try pipe.fileHandleForReading.readToEnd() })
            }
        }
        try StandardStream(descriptor: descriptor).write(bytes)
        try pipe.fileHandleForWriting.close()
        #expect(try await reading.get() == bytes)
    }
}
