import Testing

@testable import LarderCLI

@Suite struct ExitCodeFamilyTests {
    private let all: [ExitCode] = [
        .success, .failure, .usage, .dataError, .damaged, .noInput, .unavailable, .cannotCreate, .storage, .temporary,
        .unexpected,
    ]

    @Test func whatShowsWhatAServerHasEndsAsSysexitsSays() {
        #expect(all.map(ExitCodeFamily.asking.number) == [0, 1, 64, 65, 74, 66, 69, 73, 74, 75, 1])
    }

    @Test func whatLooksAfterACacheEndsWithAVerdict() {
        #expect(all.map(ExitCodeFamily.keeping.number) == [0, 1, 2, 3, 1, 3, 3, 3, 3, 3, 3])
    }

    @Test(arguments: ExitCodeFamily.allCases)
    func aSignalIsToldAsShellsDo(family: ExitCodeFamily) {
        #expect(family.number(of: .signal(2)) == 130)
    }

    @Test(arguments: ExitCodeFamily.allCases)
    func everyNumberIsExplained(family: ExitCodeFamily) {
        let numbers = Set(all.map { String(family.number(of: $0)) })
        #expect(numbers == Set(family.meanings.map(\.number)))
    }

    @Test func theCommandsThatLookAfterACacheAreOfOneFamily() {
        let asking = ["demo", "get", "feed", "explain", "warm", "proxy", "sample-api"]
        for command in CommandRegistry.standard.commands {
            #expect((command.spec.exitCodes == .asking) == asking.contains(command.spec.name), "\(command.spec.name)")
        }
    }

    @Test func aMistakeIsToldInTheNumbersOfTheCommandThatWasMeant() {
        func family(_ arguments: String...) -> ExitCodeFamily? {
            guard case .refuse(_, let family) = CommandRegistry.standard.decide(arguments) else { return nil }
            return family
        }
        #expect(family("ls", "--nonsense") == .keeping)
        #expect(family("get") == .asking)
        #expect(family("lss") == .asking)
        #expect(family() == .asking)
    }

    @Test func theHelpNamesTheCommandsOfEachFamily() {
        guard case .show(let text) = CommandRegistry.standard.decide(["help"], width: 200) else {
            Issue.record("no help")
            return
        }
        #expect(text.contains("Exit codes of demo, get, feed, explain, warm, proxy and sample-api:\n  0 "))
        #expect(text.contains("Exit codes of ls, "))
    }
}
