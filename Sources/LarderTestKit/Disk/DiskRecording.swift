public import Foundation

/// Something that was done to a disk, in a folder that is being recorded. Paths are relative to it; the folder itself is "".
public enum DiskEvent: Sendable, Hashable {
    /// A file was made, without bytes.
    case create(String)
    case write(String, offset: Int, Data)
    case truncate(String, size: Int)
    /// The bytes of a file are on the disk now.
    case sync(String)
    case rename(String, to: String)
    case delete(String)
    case createFolder(String)
    /// The names in a folder are on the disk now.
    case syncFolder(String)
}

/// What a folder held, and all that was done to it since, in order: what ``PowerLoss`` is made from.
public struct DiskRecording: Sendable, Hashable {
    /// What the folder held in the beginning; all of it counts as being on the disk.
    public let beginning: DiskContents
    public internal(set) var events: [DiskEvent] = []

    public init(beginning: DiskContents, events: [DiskEvent] = []) {
        self.beginning = beginning
        self.events = events
    }
}

/// The files and folders of a folder, by paths relative to it.
public struct DiskContents: Sendable, Hashable {
    public var files: [String: Data]
    public var folders: Set<String>

    public init(files: [String: Data] = [:], folders: Set<String> = []) {
        self.files = files
        self.folders = folders
    }

    /// What a folder holds now; nothing where there is none.
    ///
    /// Reads every file: not to be used while SQLite has one of them open in this process, whose locks would go
    /// (<https://www.sqlite.org/howtocorrupt.html>, section 2.2).
    public init(of folder: URL) throws {
        self.init()
        guard let names = FileManager.default.enumerator(atPath: folder.path) else { return }
        for case let name as String in names {
            let url = folder.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { continue }
            if isFolder.boolValue {
                folders.insert(name)
            } else {
                files[name] = try Data(contentsOf: url)
            }
        }
    }

    /// Makes a folder of it, which must not be there yet.
    public func write(to folder: URL) throws {
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in folders.sorted() {
            try manager.createDirectory(at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        for (name, bytes) in files {
            let url = folder.appendingPathComponent(name)
            try manager.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try bytes.write(to: url)
        }
    }
}

extension FaultyDisk {
    /// Begins to write down what is done to a folder through this disk, from what it holds now on.
    ///
    /// To be called before anything in it is opened.
    public func record(_ folder: URL) throws {
        core.startRecording(DiskRecorder(folder: folder, beginning: try DiskContents(of: folder)))
    }

    /// How many events were written down so far: a moment that ``PowerLoss/advance(to:)`` can go to.
    public var moment: Int { core.moment }

    /// Ends the recording that was begun last.
    public func endRecording() -> DiskRecording? { core.stopRecording() }
}

/// A recording that goes on.
struct DiskRecorder {
    private let prefix: String
    var recording: DiskRecording

    init(folder: URL, beginning: DiskContents) {
        // As SQLite hands them on, paths are resolved.
        prefix = folder.resolvingSymlinksInPath().path
        recording = DiskRecording(beginning: beginning)
    }

    /// A path relative to the folder; `nil` for one that is not in it, and for shared memory, which no power loss leaves.
    func name(of path: String) -> String? {
        guard !path.hasSuffix("-shm") else { return nil }
        for prefix in [prefix, "/private" + prefix] where path.hasPrefix(prefix) {
            let rest = path.dropFirst(prefix.count)
            if rest.isEmpty { return "" }
            if rest.hasPrefix("/") { return String(rest.dropFirst().drop { $0 == "/" }) }
        }
        return nil
    }

    /// The folder that a path names something in.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}
