import Foundation
import LarderKit

/// What is wrong with a cache.
extension Trouble {
    init(_ error: StorageError, folder: URL) {
        let path = folder.path
        let file = folder.appendingPathComponent("cache.sqlite").path
        let (kind, exitCode): (String, ExitCode) =
            switch error.kind {
            case .busy: ("busy", .temporary)
            case .full: ("full", .storage)
            case .overBudget: ("overBudget", .storage)
            case .notPermitted: ("notPermitted", .cannotCreate)
            case .missing: ("missing", .cannotCreate)
            case .notALarder where error.isOfAnotherProgram: ("notALarder", .storage)
            case .notALarder: ("notALarder", .damaged)
            case .newerFormat: ("newerFormat", .storage)
            case .corrupt: ("corrupt", .damaged)
            case .closed: ("closed", .storage)
            case .other: ("storage", .storage)
            }
        let message =
            switch error.kind {
            case .busy:
                "another process kept the cache \(file) locked for longer than was waited. "
                    + "Try again, or see who holds it: fuser \(file)"
            case .full:
                "the disk of the cache \(path) is full. Free some space and try again."
            case .notPermitted:
                "the cache \(path) may not be written to. Check its owner and permissions, or choose another --cache."
            case .notALarder where !error.isOfAnotherProgram:
                "the file \(file) is not an SQLite database, is damaged at its beginning, or is encrypted; it was left as "
                    + "it is. \(CacheFolder.ways(of: folder)) Where it is none of Larder's, choose another --cache."
            case .corrupt:
                "the cache \(path) is damaged: \(error.sentence) \(CacheFolder.ways(of: folder))"
            case .missing:
                "the cache's folder \(path) cannot be used or made. "
                    + "Check that its parent is a folder that may be written to, or choose another --cache."
            default:
                error.nextStep.map { "\(error.explanation). \($0)" } ?? "\(error.explanation) (the cache is \(path))"
            }
        self.init(kind, message, exitCode: exitCode)
    }
}

extension Trouble {
    /// Rows and files that are damaged, met by a command that shows the rest.
    static func damage(_ count: Int, in folder: URL) -> Trouble? {
        guard count > 0 else { return nil }
        let what = Units.count(count, "row or file", "rows or files")
        return Trouble(
            "corrupt",
            "\(what) of the cache \(folder.path) cannot be read; the rest is shown. \(CacheFolder.ways(of: folder))",
            exitCode: .damaged)
    }
}

extension StorageError {
    fileprivate var sentence: String { explanation.hasSuffix(".") ? explanation : explanation + "." }

    /// The file is a database, and not a cache's.
    fileprivate var isOfAnotherProgram: Bool {
        kind == .notALarder && nextStep?.hasPrefix("Nothing was changed") == true
    }
}
