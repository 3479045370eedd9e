// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who depends on larder builds this.
let package = Package(
    name: "larder-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "larder-bench", targets: ["LarderBench"]),
        .executable(name: "open-larder", targets: ["OpenLarder"]),
        .executable(name: "open-sqlite", targets: ["OpenSQLite"]),
    ],
    dependencies: [.package(name: "larder", path: "..")],
    targets: [
        // What everything is compared with: the same work by SQLite's own calls, from C.
        .target(
            name: "CBaseline", cSettings: [.define("_GNU_SOURCE", .when(platforms: [.linux]))],
            linkerSettings: [.linkedLibrary("sqlite3")]),
        .systemLibrary(
            name: "SystemSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .executableTarget(
            name: "LarderBench",
            dependencies: [
                "CBaseline",
                .product(name: "LarderKit", package: "larder"),
                .product(name: "LarderSQLite", package: "larder"),
            ]),
        // Two programs that read one page and end, to compare from start to end.
        .executableTarget(name: "OpenLarder", dependencies: [.product(name: "LarderKit", package: "larder")]),
        .executableTarget(name: "OpenSQLite", dependencies: ["SystemSQLite"]),
    ]
)

for target in package.targets where target.type == .executable {
    target.swiftSettings = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .treatAllWarnings(as: .error),
    ]
}
