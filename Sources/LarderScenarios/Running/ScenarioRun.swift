import Foundation

/// Runs cases one after the other and says a line about each.
struct ScenarioRun: Sendable {
    /// What the process tells its parent.
    enum Exit: Int32 {
        case allPassed = 0
        case someFailed = 1
        case usage = 2
    }

    static let usage = """
        usage: larder-scenarios PATH…

        Runs cases through the library, each against a simulated server of its own: files, and all JSON files in folders.
        A case is of the format feed-script/1, http-script/1, steps/1, or data/1 with links,
        keys, values or rows of a model.

        Prints "PASS id" or "FAIL id: why" for each, and how many there were. What a case expects and nothing here can
        check is named beside PASS, and "NOT RUN id: why" what is no case of this tool. Exits with 1 when one failed, with 2 when
        the command line makes no sense.

        """

    let print: @Sendable (String) -> Void
    let complain: @Sendable (String) -> Void

    func run(_ arguments: [String]) async -> Exit {
        if arguments == ["--help"] || arguments == ["-h"] {
            print(Self.usage)
            return .allPassed
        }
        guard !arguments.isEmpty, !arguments.contains(where: { $0.hasPrefix("-") }) else {
            complain(Self.usage)
            return .usage
        }
        var files: [URL] = []
        do {
            for path in arguments { files += try CaseFinder.files(at: path) }
        } catch {
            complain("larder-scenarios: \(error)\n")
            return .usage
        }
        return await run(files)
    }

    private func run(_ files: [URL]) async -> Exit {
        var (failed, notRun) = (0, 0)
        for file in files {
            let result = await CaseFile(url: file).run()
            if result.failure != nil { failed += 1 }
            if result.isNotRun != nil { notRun += 1 }
            print("\(result.line)\n")
        }
        let rest = notRun > 0 ? ", \(notRun) not run" : ""
        print("\(files.count - failed - notRun) passed, \(failed) failed\(rest)\n")
        return failed == 0 ? .allPassed : .someFailed
    }
}
