import CCurl
import CMicroHTTPD
import Foundation

/// The C libraries that are loaded when they are first needed, once for the whole process.
enum SystemLibraries {
    static let curl = Result(larder_curl_load(), else: MissingLibrary(name: "libcurl.so.4", package: "libcurl4"))
    static let microHTTPD = Result(
        larder_mhd_load(), else: MissingLibrary(name: "libmicrohttpd.so.12", package: "libmicrohttpd12"))
}

/// A C library that is not on this machine, or is too old.
package struct MissingLibrary: Error, Sendable, Hashable {
    /// As the loader looks for it.
    package let name: String
    /// What brings it on Debian and its kin.
    package let package: String

    package init(name: String, package: String) {
        self.name = name
        self.package = package
    }
}

extension MissingLibrary: CustomStringConvertible, LocalizedError {
    package var description: String {
        "\(name) cannot be loaded; on Debian and Ubuntu the package \(package) brings it"
    }
    package var errorDescription: String? { description }
}

extension Result<Void, MissingLibrary> {
    fileprivate init(_ isLoaded: Bool, else missing: MissingLibrary) {
        self = isLoaded ? .success(()) : .failure(missing)
    }
}
