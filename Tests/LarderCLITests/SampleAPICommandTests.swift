import LarderServer
import Testing

@testable import LarderCLI

@Suite struct SampleAPICommandTests {
    private func command(_ arguments: String...) throws -> SampleAPICommand {
        try SampleAPICommand(ArgumentParser(spec: SampleAPICommand.spec).parse(arguments))
    }

    @Test func withoutOptionsTheDefaultsHold() throws {
        let command = try command()
        #expect(command.requestedPort == 0)
        #expect(command.options == SampleAPI.Options())
        #expect(!command.isQuiet)
    }

    @Test func optionsBecomeTheServers() throws {
        let command = try command(
            "--port", "8080", "--new-every=5s", "--latency", "300ms", "--fail-every", "4", "--posts", "0", "-q")
        #expect(command.requestedPort == 8080)
        #expect(
            command.options
                == SampleAPI.Options(
                    posts: 0, newEvery: .seconds(5), failEvery: 4, latency: .milliseconds(300)))
        #expect(command.isQuiet)
    }

    @Test(arguments: ["--port=70000", "--fail-every=0", "--posts=-1", "--latency=soon", "--new-every=-1"])
    func whatMakesNoSenseIsRefused(argument: String) {
        #expect(throws: UsageError.self) { try command(argument) }
    }

    @Test func aTakenPortIsAFailureWithACodeOfItsOwn() async throws {
        let taken = try HTTPServer { _ in .plain("") }
        let error = await #expect(throws: CommandFailure.self) { try await command("--port=\(taken.port)").run() }
        #expect(error?.exitCode == .unavailable)
        #expect(error?.description.contains("\(taken.port)") == true)
    }
}
