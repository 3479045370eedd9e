import Foundation

/// A disk between two syncs: what is on it for sure, and what may be.
struct PendingDisk: Sendable {
    enum Change: Sendable {
        case write(offset: Int, Data)
        case truncate(size: Int)

        /// How much of it may have happened: nothing, or one of so many steps.
        var options: Int {
            switch self {
            case .write(let offset, let bytes):
                2 + (offset + max(bytes.count, 1) - 1) / PendingDisk.sector - offset / PendingDisk.sector
            case .truncate: 2
            }
        }
    }

    private struct File: Sendable {
        var bytes = Data()
        var pending: [Change] = []
    }

    private enum Entry: Sendable {
        case file(Int)
        case folder
    }

    private enum Naming: Sendable {
        case add(String, Entry)
        case remove(String)
        case move(String, to: String, Entry)

        /// The folder whose sync settles it.
        var folder: String {
            switch self {
            case .add(let name, _), .remove(let name), .move(_, to: let name, _): DiskRecorder.folder(of: name)
            }
        }

        func apply(to entries: inout [String: Entry]) {
            switch self {
            case .add(let name, let entry): entries[name] = entry
            case .remove(let name): entries[name] = nil
            case .move(let name, let other, let entry):
                entries[name] = nil
                entries[other] = entry
            }
        }
    }

    static let sector = 512

    private var files: [File] = []
    /// What names what, on the disk and in memory.
    private var durable: [String: Entry] = [:]
    private var present: [String: Entry] = [:]
    private var namings: [Naming] = []

    init(_ contents: DiskContents) {
        for name in contents.folders { durable[name] = .folder }
        for (name, bytes) in contents.files {
            durable[name] = .file(files.count)
            files.append(File(bytes: bytes))
        }
        present = durable
    }

    mutating func take(_ event: DiskEvent) {
        switch event {
        case .create(let name): make(name)
        case .write(let name, let offset, let bytes): change(name, .write(offset: offset, bytes))
        case .truncate(let name, let size): change(name, .truncate(size: size))
        case .sync(let name):
            let number = number(of: name)
            for change in files[number].pending { files[number].bytes.apply(change, upTo: change.options - 1) }
            files[number].pending = []
        case .rename(let name, let other):
            makeFolder(of: other)
            add(.move(name, to: other, present[name] ?? .file(number(of: name))))
        case .delete(let name): add(.remove(name))
        case .createFolder(let name):
            makeFolder(of: name)
            if present[name] == nil { add(.add(name, .folder)) }
        case .syncFolder(let folder):
            for naming in namings where naming.folder == folder { naming.apply(to: &durable) }
            namings.removeAll { $0.folder == folder }
        }
    }

    private mutating func add(_ naming: Naming) {
        naming.apply(to: &present)
        namings.append(naming)
    }

    private mutating func make(_ name: String) {
        // Somebody made it whose doings are not recorded.
        if case .file = present[name] { return }
        makeFolder(of: name)
        files.append(File())
        add(.add(name, .file(files.count - 1)))
    }

    /// The same of folders.
    private mutating func makeFolder(of name: String) {
        let folder = DiskRecorder.folder(of: name)
        guard !folder.isEmpty, present[folder] == nil else { return }
        makeFolder(of: folder)
        add(.add(folder, .folder))
    }

    private mutating func change(_ name: String, _ change: Change) {
        let number = number(of: name)
        files[number].pending.append(change)
    }

    private mutating func number(of name: String) -> Int {
        make(name)
        guard case .file(let number) = present[name] else { preconditionFailure("\(name) is a folder") }
        return number
    }

    // MARK: What may be there

    /// How many options there are for each thing that is not settled.
    var options: [Int] { namings.map { _ in 2 } + files.flatMap { $0.pending.map(\.options) } }

    /// - Parameter choices: For each of ``options``, how far it went.
    func contents(choosing choices: [Int]) -> DiskContents {
        var entries = durable
        for (naming, choice) in zip(namings, choices) where choice > 0 { naming.apply(to: &entries) }
        var next = namings.count
        let bytes = files.map { file in
            var bytes = file.bytes
            for change in file.pending {
                bytes.apply(change, upTo: choices[next])
                next += 1
            }
            return bytes
        }
        return Self.contents(of: entries, bytes)
    }

    /// What no folder leads to is not there.
    private static func contents(of entries: [String: Entry], _ bytes: [Data]) -> DiskContents {
        var contents = DiskContents()
        for (name, entry) in entries {
            var folder = DiskRecorder.folder(of: name)
            while !folder.isEmpty, case .folder = entries[folder] { folder = DiskRecorder.folder(of: folder) }
            guard folder.isEmpty else { continue }
            switch entry {
            case .folder: contents.folders.insert(name)
            case .file(let number): contents.files[name] = bytes[number]
            }
        }
        return contents
    }
}

extension Data {
    /// Does a change as far as its step `step`: a write up to the end of that sector.
    fileprivate mutating func apply(_ change: PendingDisk.Change, upTo step: Int) {
        guard step > 0 else { return }
        switch change {
        case .truncate(let size):
            resize(to: size)
        case .write(let offset, let bytes):
            let end = Swift.min(offset + bytes.count, (offset / PendingDisk.sector + step) * PendingDisk.sector)
            if count < end { resize(to: end) }
            replaceSubrange(startIndex + offset..<startIndex + end, with: bytes.prefix(end - offset))
        }
    }

    private mutating func resize(to size: Int) {
        if count > size { removeLast(count - size) } else { append(Data(count: size - count)) }
    }
}
