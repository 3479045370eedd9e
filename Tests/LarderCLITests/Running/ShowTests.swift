import Foundation
import LarderKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ShowTests {
    let cache: FilledCache

    init() throws {
        cache = try FilledCache()
    }

    private func show(_ arguments: String...) async throws -> Tool.Outcome {
        try await Tool.start(["show", "--cache", cache.path] + arguments).end()
    }

    @Test func theBytesComeAsTheyAreStoredAndNothingElseDoes() async throws {
        let bytes = Data((0...255).map { UInt8($0) } + Array("no line break".utf8))
        try await cache.fill { larder in
            try await larder.common.put("row", bytes)
            try await larder.common.put("file", bytes, in: .files)
            try await larder.common.put("empty", Data())
        }
        for key in ["row", "file"] {
            let run = try await show(key)
            #expect(run.code == 0 && run.output == bytes && run.error.isEmpty, "\(key)")
        }
        let empty = try await show("empty")
        #expect(empty.code == 0 && empty.output.isEmpty)
    }

    @Test(arguments: ["", "a/../b", "line\nbreak", "nul\0byte", "Caf\u{E9}", "Cafe\u{301}", "-x", "😀 '\"$(x)"])
    func anyKeyIsShown(key: String) async throws {
        try await cache.fill { larder in
            try await larder.common.put(key, Data("mine".utf8))
            try await larder.common.put("Cafe", Data("another's".utf8))
        }
        let escaped = key.unicodeScalars.map { scalar in
            scalar.value < 0x10000 ? String(format: "\\u%04x", scalar.value) : String(scalar)
        }.joined()
        let json = try await show("--key-json", "\"\(escaped)\"")
        #expect(json.code == 0 && json.text == "mine")
        if !key.contains("\0") {
            let typed = try await show("--", key)
            #expect(typed.code == 0 && typed.text == "mine")
        }
    }

    @Test func aValueOfAMegabyteComesWhole() async throws {
        let bytes = Data(repeating: 0x61, count: 3_000_000)
        try await cache.fill { larder in try await larder.common.put("large", bytes) }
        let run = try await show("large")
        #expect(run.output == bytes)
        let object = try await show("large", "--json", "--meta").object()
        let path = try #require(object["path"] as? String)
        #expect(object["place"] as? String == "blob" && path.hasPrefix(cache.path + "/blobs/"))
        try FileManager.default.removeItem(atPath: path)
        let missing = try await show("large")
        #expect(missing.code == 1 && missing.output.isEmpty && missing.error.contains("is missing"))
    }

    @Test func nothingCrossesFromOneAccountToAnother() async throws {
        try await cache.fill { larder in try await larder.partition("anna").put("me", Data("anna's".utf8)) }
        let common = try await show("me")
        #expect(common.code == 1 && common.output.isEmpty)
        #expect(common.error.contains("It is stored for anna: say so with --partition."))
        let own = try await show("me", "--partition", "anna")
        #expect(own.code == 0 && own.text == "anna's")
    }

    @Test func whatIsNotStoredIsToldWithWhatMayHaveBeenMeant() async throws {
        try await cache.fill { larder in
            try await larder.common.put("profile", Data("1".utf8))
            try await larder.common.put("Caf\u{E9}", Data("2".utf8))
        }
        let near = try await show("profil")
        #expect(near.code == 1 && near.error.contains("Did you mean profile?"))
        let form = try await show("Cafe\u{301}")
        #expect(form.code == 1 && form.error.contains(#"--key-json '"Caf\u00e9"'"#))
        let json = try await show("profil", "--json")
        #expect((try json.object()["error"] as? [String: Any])?["kind"] as? String == "notStored")
    }

    @Test func whatIsKnownIsToldBesideTheValue() async throws {
        try await cache.fill { larder in
            let resource = larder.common.resource("prices") { _ in
                Answer.value([1, 2], validators: Validators(etag: "\"7\""), maxAge: .seconds(3600))
            }
            _ = try await resource.read()
            try await larder.common.put("changed", Data("x\u{FFFD}".utf8), in: .files)
        }
        let object = try await show("prices", "--json").object()
        #expect(object["kind"] as? String == "resource" && object["key"] as? String == "prices")
        #expect(object["size"] as? Int == 5 && object["codec"] as? String == "json 1")
        #expect(object["etag"] as? String == "\"7\"" && object["lifetime"] as? Double == 3600)
        #expect(object["fresh"] as? Bool == true && object["invalidated"] as? Bool == false)
        #expect(object["place"] as? String == "database" && object["path"] is NSNull)
        #expect(object["value"] as? [Int] == [1, 2] && object["base64"] is NSNull)

        let file = try await show("changed", "--json", "--in", "files").object()
        let path = try #require(file["path"] as? String)
        #expect(path.hasPrefix(cache.path + "/files/") && FileManager.default.fileExists(atPath: path))
        #expect(file["invalidated"] as? Bool == true && file["fresh"] as? Bool == false)
        #expect(file["value"] is NSNull && file["base64"] as? String == Data("x\u{FFFD}".utf8).base64EncodedString())

        let meta = try await show("prices", "--meta")
        #expect(meta.text.contains("fresh       yes, by the server's word\n"))
        #expect(meta.text.contains("lies in     the database\n"))
        #expect(try await show("prices", "--meta", "--json").object()["value"] == nil)
    }

    @Test func whatLiesInTwoPlacesIsShownFromTheOneThatIsNamed() async throws {
        try await cache.fill { larder in
            try await larder.common.put("both", Data("row".utf8))
            try await larder.common.put("both", Data("file".utf8), in: .files)
        }
        let first = try await show("both")
        #expect(first.text == "row" && first.error.contains("--in files"))
        let second = try await show("both", "--in", "files")
        #expect(second.text == "file" && second.error.isEmpty)
    }

    @Test func anItemOfAListIsShown() async throws {
        try await cache.fill { larder in
            try await larder.partition("anna").putList("home", [30, 20, 10])
            try await larder.partition("anna").put("me", Data("1".utf8))
        }
        let item = try await show("home", "--partition", "anna", "--item", "20")
        #expect(item.code == 0 && item.text == #"{"id":20}"#)
        let object = try await show("home", "--partition", "anna", "--item", "10", "--json").object()
        #expect(object["kind"] as? String == "item" && object["id"] as? String == "10")
        #expect((object["age"] as? Double).map { $0 >= 0 && $0 < 600 } == true)
        let missing = try await show("home", "--partition", "anna", "--item", "25")
        #expect(missing.code == 1 && missing.error.contains("Its newest is 30, its oldest 10."))
        let whole = try await show("home", "--partition", "anna")
        #expect(whole.code == 1 && whole.error.contains("a list of 3 items: name one with --item"))
        #expect(try await show("home", "--partition", "anna", "--json").object()["items"] as? Int == 3)
        let value = try await show("me", "--partition", "anna", "--item", "1")
        #expect(value.code == 1 && value.error.contains("leave out --item"))
    }

    @Test func aSecretInAKeyIsNotShownAndNeedNotBeTyped() async throws {
        let key = "https://api.example/me?token=s3cr3t"
        try await cache.fill { larder in try await larder.common.put(key, Data("mine".utf8)) }
        let run = try await show("https://api.example/me?token=…")
        #expect(run.code == 0 && run.text == "mine")
        for options in [["--meta"], ["--json"]] {
            let meta = try await Tool.start(["show", "--cache", cache.path, key] + options).end()
            #expect(!meta.text.contains("s3cr3t") && !meta.error.contains("s3cr3t"))
        }
    }

    @Test func aFileThatIsDamagedIsToldAsDamage() async throws {
        try await cache.fill { larder in try await larder.common.put("torn", Data("whole".utf8), in: .files) }
        let path = try #require(try await show("torn", "--json").object()["path"] as? String)
        let file = URL(fileURLWithPath: path)
        try Data(try Data(contentsOf: file).dropLast(1)).write(to: file)
        let run = try await show("torn")
        #expect(run.code == 1 && run.output.isEmpty)
        #expect(run.error.contains("damaged") && run.error.contains("'larder verify --cache \(cache.path)'"))
    }

    @Test func aMistakeOfTheCommandLineIsTold() async throws {
        for arguments in [[], ["a", "b"], ["a", "--in", "memory"], ["a", "--key-json", "\"b\""]] {
            let run = try await Tool.start(["show", "--cache", cache.path] + arguments).end()
            #expect(run.code == 2 && run.error.contains("larder help show"))
        }
        let none = try await show("a")
        #expect(none.code == 3)
        #expect(!FileManager.default.fileExists(atPath: cache.path))
    }
}
