import Foundation

/// Why a server did not start, and what to do about it.
package struct HTTPServerError: Error, Sendable, Hashable {
    /// The port that was asked for, 0 for any free one.
    package let port: UInt16
    /// The system's error number, 0 if it gave none.
    package let code: Int32
    /// What serving needs and is not there.
    package let missingLibrary: MissingLibrary?

    package init(port: UInt16, code: Int32) {
        self.port = port
        self.code = code
        missingLibrary = nil
    }

    package init(port: UInt16, _ missing: MissingLibrary) {
        self.port = port
        code = 0
        missingLibrary = missing
    }
}

extension HTTPServerError: CustomStringConvertible, LocalizedError {
    package var description: String {
        if let missingLibrary { return missingLibrary.description }
        return switch code {
        case EADDRINUSE:
            "port \(port) on 127.0.0.1 is taken by another program; choose another port, or 0 for any free one"
        case EACCES:
            "port \(port) on 127.0.0.1 may not be used without privileges; choose one above 1023, or 0 for any free one"
        case 0:
            "cannot serve on port \(port) of 127.0.0.1; choose another port, or 0 for any free one"
        default:
            "cannot serve on port \(port) of 127.0.0.1: \(String(cString: strerror(code)))"
        }
    }

    package var errorDescription: String? { description }
}
