// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "larder",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "LarderSQLite", targets: ["LarderSQLite"]),
        .library(name: "LarderKit", targets: ["LarderKit"]),
        .library(name: "LarderHTTP", targets: ["LarderHTTP"]),
        .library(name: "LarderTestKit", targets: ["LarderTestKit"]),
        .executable(name: "larder", targets: ["LarderCLI"]),
        .executable(name: "larder-scenarios", targets: ["LarderScenarios"]),
        .executable(name: "larder-stress", targets: ["LarderStress"]),
    ],
    targets: [
        // The system's C libraries. An app needs only the first; the others belong to the tool.
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        // These two are loaded when they are first needed, so that the tool starts without them: Linux needs their headers to
        // build (libcurl4-openssl-dev, libmicrohttpd-dev). Apple's systems link them.
        .target(
            name: "CCurl", linkerSettings: [.linkedLibrary("curl", .when(platforms: [.macOS]))]),
        .target(
            name: "CMicroHTTPD",
            dependencies: [.target(name: "CMicroHTTPDLibrary", condition: .when(platforms: [.macOS]))]),
        .systemLibrary(
            name: "CMicroHTTPDLibrary", pkgConfig: "libmicrohttpd", providers: [.brew(["libmicrohttpd"])]),
        // Apple's systems have CryptoKit.
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // No library: what the kernel of Linux says of its network. Its headers come with Swift's own needs.
        .systemLibrary(name: "CNetlink"),
        // No library either: what a loop over sockets needs of the system, with epoll or kqueue.
        .target(name: "CEvents"),

        // Arrows run one way: CSQLite <- LarderSQLite <- LarderKit <- LarderHTTPCache <- LarderHTTP, LarderServer <- LarderCLI.
        .target(name: "LarderSQLite", dependencies: ["CSQLite"]),
        .target(
            name: "LarderKit",
            dependencies: ["LarderSQLite", .target(name: "CNetlink", condition: .when(platforms: [.linux]))]),
        // The rules and the cache without URLSession, whose libraries a command-line tool would load at each start.
        .target(name: "LarderHTTPCache", dependencies: ["LarderKit"]),
        .target(name: "LarderHTTP", dependencies: ["LarderKit", "LarderHTTPCache"]),
        .target(name: "LarderTestKit", dependencies: ["LarderKit", "LarderHTTPCache", "CSQLite"]),
        .target(
            name: "LarderServer", dependencies: ["LarderKit", "LarderHTTPCache", "CMicroHTTPD", "CCurl", "CEvents"]),
        .executableTarget(
            name: "LarderCLI",
            dependencies: [
                "LarderKit", "LarderHTTPCache", "LarderServer",
                .target(name: "CCrypto", condition: .when(platforms: [.linux])),
            ]),
        // A tool for those who work on the library: runs cases that are data.
        .executableTarget(
            name: "LarderScenarios",
            dependencies: [
                "LarderKit", "LarderSQLite", "LarderHTTPCache", "LarderHTTP", "LarderServer", "LarderTestKit",
            ]),
        // Another: everything at once, and checks of what must hold all the same.
        .executableTarget(name: "LarderStress", dependencies: ["LarderKit", "LarderSQLite", "LarderTestKit"]),

        .testTarget(name: "LarderSQLiteTests", dependencies: ["LarderSQLite", "CSQLite"]),
        .testTarget(name: "LarderKitTests", dependencies: ["LarderKit", "LarderSQLite", "LarderTestKit", "CSQLite"]),
        .testTarget(
            name: "LarderHTTPCacheTests",
            dependencies: ["LarderHTTPCache", "LarderKit", "LarderSQLite", "LarderTestKit"]),
        .testTarget(
            name: "LarderHTTPTests",
            dependencies: [
                "LarderHTTP", "LarderHTTPCache", "LarderKit", "LarderSQLite", "LarderServer", "LarderTestKit",
            ]),
        .testTarget(name: "LarderTestKitTests", dependencies: ["LarderTestKit", "LarderKit", "LarderSQLite"]),
        .testTarget(name: "LarderServerTests", dependencies: ["LarderServer", "LarderHTTPCache", "LarderKit"]),
        .testTarget(name: "LarderCLITests", dependencies: ["LarderCLI", "LarderServer", "LarderKit", "LarderSQLite"]),
        .testTarget(name: "LarderScenarioTests", dependencies: ["LarderScenarios", "LarderKit"]),
        .testTarget(name: "LarderStressTests", dependencies: ["LarderStress", "LarderKit", "LarderTestKit"]),
    ]
)

let cTargets = ["CCurl", "CMicroHTTPD"]
for target in package.targets where target.type != .system && !cTargets.contains(target.name) {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}

// What the thread sanitizer has to be told about, in its builds alone: `make stress`.
if Context.environment["LARDER_TSAN"] != nil {
    package.targets.append(.target(name: "CThreadSanitizer"))
    package.targets.first { $0.name == "LarderSQLite" }?.dependencies.append("CThreadSanitizer")
}
