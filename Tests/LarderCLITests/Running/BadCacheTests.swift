import Foundation
import LarderSQLite
import Testing

/// A cache that cannot be used is told with its cause and the next step, and left as it is.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BadCacheTests {
    let scratch: Scratch
    let api: StubAPI

    init() throws {
        scratch = try Scratch()
        api = try StubAPI(json: #"[{"id":1}]"#)
    }

    @Test(arguments: ["get", "feed"])
    func aFolderThatCannotBeMadeIsNamed(command: String) async throws {
        _ = try scratch.newFile("file", "precious")
        for folder in [scratch.path("file"), scratch.path("file/below"), "/proc/larder"] {
            let run = try await Tool.run(command, "--json", "--cache", folder, api.url + "/")
            #expect(run.code == 73)
            #expect(run.error.contains(folder))
            #expect(run.error.contains("--cache"))
            #expect((try run.object()["error"] as? [String: Any])?["kind"] as? String == "missing")
        }
        #expect(try scratch.contents("file") == Data("precious".utf8))
    }

    @Test(arguments: ["get", "feed", "ls"])
    func aFileInTheFoldersPlaceAndAFolderInTheFilesAreSaidToBe(command: String) async throws {
        let url = command == "ls" ? [] : [api.url + "/"]
        _ = try scratch.newFile("file")
        let file = try await Tool.start([command, "--cache", scratch.path("file")] + url).end()
        #expect(file.code == (command == "ls" ? 3 : 73))
        #expect(file.error.contains("\(scratch.path("file")) is a file"))
        let database = scratch.path("cache/cache.sqlite")
        try FileManager.default.createDirectory(atPath: database, withIntermediateDirectories: true)
        let folder = try await Tool.start([command, "--cache", scratch.path("cache")] + url).end()
        #expect(folder.code == (command == "ls" ? 3 : 74))
        #expect(folder.error.contains("\(database) is a folder"))
    }

    @Test(.enabled(if: getuid() != 0, "root may read anything"), arguments: [["get", "--offline"], ["ls"]])
    func aCacheThatMayNotBeReadIsNotSaidToBeMissing(command: [String]) async throws {
        let cache = scratch.path("cache")
        _ = try await Tool.run("get", "--cache", cache, api.url + "/")
        let url = command == ["ls"] ? [] : [api.url + "/"]
        for path in [cache + "/cache.sqlite", cache] {
            #expect(chmod(path, 0) == 0)
            let run = try await Tool.start(command + ["--cache", cache] + url).end()
            #expect(run.code == (command == ["ls"] ? 3 : 74))
            #expect(run.error.contains("may not be read"))
        }
        #expect(chmod(cache, 0o700) == 0)
    }

    @Test(.enabled(if: getuid() != 0, "root may write anywhere"))
    func aFolderThatMayNotBeWrittenToIsNamed() async throws {
        let folder = scratch.path("readonly")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o500])
        let run = try await Tool.run("get", "--cache", folder, api.url + "/")
        #expect(run.code == 73)
        #expect(run.error.contains(folder))
    }

    @Test(arguments: [["get"], ["get", "--offline"], ["feed"], ["ls"]])
    func aFileThatIsNoDatabaseIsNamedAndLeftAsItIs(command: [String]) async throws {
        let text = String(repeating: "not a database at all\n", count: 200)
        try FileManager.default.createDirectory(atPath: scratch.path("cache"), withIntermediateDirectories: false)
        _ = try scratch.newFile("cache/cache.sqlite", text)
        let url = command == ["ls"] ? [] : [api.url + "/"]
        let run = try await Tool.start(command + ["--cache", scratch.path("cache")] + url).end()
        #expect(run.code == (command == ["ls"] ? 1 : 74))
        #expect(run.error.contains(scratch.path("cache/cache.sqlite")))
        #expect(run.error.contains("not an SQLite database"))
        #expect(run.error.contains("'larder verify --cache \(scratch.path("cache"))'"))
        #expect(try scratch.contents("cache/cache.sqlite") == Data(text.utf8))
    }

    @Test func anotherProgramsDatabaseIsNamedAndLeftAsItIs() async throws {
        try FileManager.default.createDirectory(atPath: scratch.path("cache"), withIntermediateDirectories: false)
        let database = try Database(.file(scratch.path("cache/cache.sqlite")))
        try await database.write { connection in try connection.execute("CREATE TABLE diary (day TEXT)") }
        let run = try await Tool.run("get", "--cache", scratch.path("cache"), api.url + "/")
        #expect(run.code == 74)
        #expect(run.error.contains("another program"))
        #expect(try database.read { try $0.query("SELECT name FROM sqlite_master") { try $0.text(0) } } == ["diary"])
    }

    @Test func aLockHeldTooLongCostsTheKeepingAndNotTheShowing() async throws {
        let cache = scratch.path("cache")
        _ = try await Tool.run("get", "--cache", cache, api.url + "/old")
        let database = try Database(.file(cache + "/cache.sqlite"))
        // The write lock is held until the run has ended: its own write waits as long as it ever does, and gives up.
        let (isLocked, continuation) = AsyncStream.makeStream(of: Void.self)
        let gate = DispatchSemaphore(value: 0)
        let holding = Task {
            try await database.write { _ in
                continuation.finish()
                gate.wait()
            }
        }
        for await _ in isLocked {}
        let run = try await Tool.run("get", "--json", "--cache", cache, api.url + "/new")
        gate.signal()
        try await holding.value
        #expect(run.code == 75)
        #expect(run.text.hasPrefix(#"{"value":[{"id":1}],"#))
        #expect((try run.object()["error"] as? [String: Any])?["kind"] as? String == "busy")
        #expect(run.error.contains(cache + "/cache.sqlite"))
        #expect(run.error.contains("another process"))
        let old = try await Tool.run("get", "--offline", "--cache", cache, api.url + "/old")
        #expect(old.code == 0)
    }
}
