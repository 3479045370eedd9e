import Foundation

/// Why a front did not start, and what to do about it.
package struct HTTPFrontError: Error, Sendable, Hashable {
    package let address: String
    /// The port that was asked for, 0 for any free one.
    package let port: UInt16
    /// The system's error number.
    package let code: Int32
}

extension HTTPFrontError: CustomStringConvertible, LocalizedError {
    package var description: String {
        switch code {
        case EADDRINUSE:
            "port \(port) on \(address) is taken by another program; choose another port, or 0 for any free one"
        case EACCES:
            "port \(port) on \(address) may not be used without privileges; choose one above 1023, or 0 for any free one"
        case EINVAL, EADDRNOTAVAIL:
            "\(address) is no address of this machine; give one in digits, such as 127.0.0.1 or ::1"
        default:
            "cannot serve on port \(port) of \(address): \(String(cString: strerror(code)))"
        }
    }

    package var errorDescription: String? { description }
}
