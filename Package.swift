// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "livery",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "livery", targets: ["LiveryApp"]),
        .library(name: "RemoteConfig", targets: ["RemoteConfig"]),
        .library(name: "TerminalUI", targets: ["TerminalUI"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "ConfigModel"),
        .target(
            name: "RemoteConfig",
            dependencies: [
                "ConfigModel",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .target(
            name: "CNCurses",
            linkerSettings: [
                .linkedLibrary("ncursesw", .when(platforms: [.linux])),
                .linkedLibrary("ncurses", .when(platforms: [.macOS])),
            ]
        ),
        .target(name: "TerminalUI", dependencies: ["ConfigModel", "CNCurses"]),
        .executableTarget(
            name: "LiveryApp",
            dependencies: [
                "ConfigModel",
                "RemoteConfig",
                "TerminalUI",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .executableTarget(
            name: "LiveryBenchmarks",
            dependencies: [
                "ConfigModel",
                "TerminalUI",
                "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Benchmarks/Sources"
        ),
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(name: "TestSupport", dependencies: ["CTestSupport"], path: "Tests/TestSupport"),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"]),
        .testTarget(name: "ConfigModelTests", dependencies: ["ConfigModel", "TestSupport"]),
        .testTarget(name: "RemoteConfigTests", dependencies: ["RemoteConfig", "TestSupport"]),
        .testTarget(name: "TerminalUITests", dependencies: ["TerminalUI", "TestSupport"]),
        .testTarget(name: "LiveryAppTests", dependencies: ["LiveryApp", "TestSupport"]),
        .executableTarget(name: "TerminalProbe", dependencies: ["TerminalUI"], path: "Tests/TerminalProbe"),
        .testTarget(
            name: "IntegrationTests",
            dependencies: ["ConfigModel", "LiveryApp", "RemoteConfig", "TerminalProbe", "TerminalUI", "TestSupport"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// One rule for every Swift target, so that no module is stricter or laxer than its neighbours.
for target in package.targets where !["CNCurses", "CTestSupport"].contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
}
