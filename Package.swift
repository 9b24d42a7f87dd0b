// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Which package a product of others is from. Any other name is that of a target here.
let packageOfProduct = [
    "ArgumentParser": "swift-argument-parser",
    "AsyncHTTPClient": "async-http-client",
    "Configuration": "swift-configuration", "ConfigurationTesting": "swift-configuration",
    "GRDB": "GRDB.swift", "GRDBSQLite": "GRDB.swift",
    "HashTreeCollections": "swift-collections",
    "HummingbirdCore": "hummingbird",
    "InMemoryLogging": "swift-log", "Logging": "swift-log",
    "InMemoryTracing": "swift-distributed-tracing", "Tracing": "swift-distributed-tracing",
    "Metrics": "swift-metrics", "MetricsTestKit": "swift-metrics",
    "NIOCore": "swift-nio", "NIOEmbedded": "swift-nio", "NIOHTTP1": "swift-nio", "NIOPosix": "swift-nio",
    "NIOSSL": "swift-nio-ssl",
    "ServiceLifecycle": "swift-service-lifecycle", "UnixSignals": "swift-service-lifecycle",
    "SystemPackage": "swift-system",
    "Yams": "Yams",
]

// Where Homebrew has ncurses, its own file says. Elsewhere it is where the compiler looks, and a file such as Debian's, with
// macros in it, makes SwiftPM warn in every app.
#if os(macOS)
    let ncurses: String? = "ncursesw"
#else
    let ncurses: String? = nil
#endif

/// Targets and products by their names, separated by spaces.
///
/// - Parameter trait: the trait without which they are left out: an app does without the server's by `traits: []`.
func uses(_ names: String, only trait: String? = nil) -> [Target.Dependency] {
    names.split(separator: " ").map(String.init).map { name in
        let condition = trait.flatMap { TargetDependencyCondition.when(traits: [$0]) }
        guard let package = packageOfProduct[name] else { return .target(name: name, condition: condition) }
        return .product(name: name, package: package, condition: condition)
    }
}

/// The tests of each module, and what they use.
let tests: KeyValuePairs = [
    "Architecture": "",
    "ConfigDefinitions": "ConfigDefinitions ConfigModel ConfigRules ConfigSchemas Files Observing RemoteConfig "
        + "RemoteConfigTesting TestSupport Configuration",
    "ConfigModel": "ConfigModel TestSupport",
    "ConfigServer": "ConfigModel ConfigServer ConfigStore ConfigStoreTesting EtcdStore Files MariaDBStore Observing "
        + "SQLiteStore StoreTestSupport TestSupport HashTreeCollections InMemoryLogging Logging NIOCore NIOEmbedded "
        + "NIOHTTP1 ServiceLifecycle",
    "ConfigStore": "ConfigModel ConfigSchemas ConfigStore ConfigStoreTesting TestSupport InMemoryLogging Logging "
        + "Metrics MetricsTestKit",
    "EtcdStore": "ConfigModel ConfigStore ConfigStoreTesting EtcdStore StoreTestSupport TestSupport InMemoryLogging "
        + "Logging",
    "Files": "CFileSystem ConfigModel Files TestSupport SystemPackage",
    "HTTPTransport": "ConfigModel HTTPTransport TestSupport TransportProbe",
    "Integration": "CTestSupport ConfigModel Files HTTPTransport LiveryApp LiveryServer Observing RemoteConfig "
        + "TerminalProbe TerminalUI TestSupport SystemPackage",
    "LiveryServer": "Files LiveryServer ArgumentParser Logging",
    "MariaDBStore": "ConfigModel ConfigStore ConfigStoreTesting MariaDBStore StoreTestSupport TestSupport "
        + "InMemoryLogging Logging",
    "Observing": "Observing",
    "RemoteConfig": "CacheProbe ConfigRules Files HTTPTransport Observing RemoteConfig RemoteConfigTesting TestSupport "
        + "Configuration ConfigurationTesting InMemoryLogging InMemoryTracing MetricsTestKit SystemPackage",
    "RemoteConfigTesting":
        "ConfigModel ConfigRules Observing RemoteConfig RemoteConfigTesting TestSupport Configuration",
    "SQLiteStore": "ConfigModel ConfigStore ConfigStoreTesting Files SQLiteStore StoreTestSupport TestSupport GRDB",
    "TerminalUI": "CTerminalGuard CTestSupport ConfigModel TerminalUI TestSupport",
    "TestSupport": "ConfigModel TestSupport",
    "TextPatterns": "TestSupport TextPatterns",
]

let package = Package(
    name: "livery",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "livery", targets: ["LiveryApp"]),
        .executable(name: "livery-server", targets: ["LiveryServer"]),
        .library(
            name: "ConfigDefinitions",
            targets: ["ConfigDefinitions", "ConfigModel", "Observing", "TextPatterns"]
        ),
        .library(name: "RemoteConfig", targets: ["RemoteConfig", "ConfigModel", "ConfigRules"]),
        .library(name: "RemoteConfigTesting", targets: ["RemoteConfigTesting"]),
        .library(name: "TerminalUI", targets: ["TerminalUI"]),
        .library(
            name: "ConfigServer",
            targets: [
                "ConfigServer", "ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigStore", "EtcdStore",
                "MariaDBStore",
                "Observing", "SQLiteStore", "TextPatterns",
            ]
        ),
        .library(name: "ConfigRules", targets: ["ConfigRules", "ConfigModel"]),
        .library(name: "ConfigSchemas", targets: ["ConfigSchemas", "ConfigModel", "TextPatterns"]),
        .library(
            name: "ConfigStoreTesting",
            targets: [
                "ConfigStoreTesting", "ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigStore", "TextPatterns",
            ]
        ),
    ],
    // MariaDB and etcd are what the server can store in besides SQLite: `swift build --traits MariaDB,Etcd`.
    traits: [
        .default(enabledTraits: ["Server"]),
        .trait(name: "Server", description: "livery-server and the library ConfigServer."),
        .trait(
            name: "MariaDB",
            description: "livery-server can store in MariaDB, through libmariadb.",
            enabledTraits: ["Server"]
        ),
        .trait(name: "Etcd", description: "livery-server can store in etcd.", enabledTraits: ["Server"]),
        .trait(name: "YAML", description: "RemoteConfig reads YAML files."),
    ],
    dependencies: [
        // What an app takes with `traits: []`.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        // The server's HTTP.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        // Its stores.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        // What an app takes by a trait.
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // What a client needs.
        .target(name: "ConfigModel", dependencies: uses("HashTreeCollections")),
        .target(name: "TextPatterns", dependencies: uses("ConfigModel")),
        .target(name: "ConfigSchemas", dependencies: uses("ConfigModel TextPatterns")),
        .target(name: "ConfigRules", dependencies: uses("ConfigModel")),
        .systemLibrary(name: "CFileSystem"),
        .target(name: "Files", dependencies: uses("CFileSystem ConfigModel SystemPackage")),
        .target(name: "Observing"),
        .target(name: "Essentials"),
        .target(name: "CCurl"),
        .target(name: "HTTPTransport", dependencies: uses("CCurl ConfigModel Essentials")),
        .target(
            name: "RemoteConfig",
            dependencies: uses("ConfigModel ConfigRules Essentials Files HTTPTransport Observing")
                + uses("Configuration Logging Metrics ServiceLifecycle Tracing")
                + uses("Yams", only: "YAML")
        ),
        .target(
            name: "RemoteConfigTesting",
            dependencies: uses("ConfigModel ConfigRules Essentials Observing RemoteConfig")
                + uses("Logging Metrics Tracing")
                + uses("ConfigServer ConfigStoreTesting ServiceLifecycle", only: "Server")
        ),
        .target(
            name: "ConfigDefinitions",
            dependencies: uses("ConfigModel Essentials Files Observing TextPatterns Configuration")
        ),
        .systemLibrary(
            name: "CNCurses",
            pkgConfig: ncurses,
            // Once called libncursesw5-dev.
            providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]
        ),
        .target(name: "CTerminalGuard"),
        .target(name: "TerminalUI", dependencies: uses("CNCurses CTerminalGuard ConfigModel Essentials")),
        .target(name: "Programs", dependencies: uses("ConfigModel Essentials Files ArgumentParser")),
        .executableTarget(
            name: "LiveryApp",
            dependencies: uses("ConfigDefinitions ConfigModel ConfigRules ConfigSchemas Essentials Files HTTPTransport")
                + uses("Programs RemoteConfig TerminalUI ArgumentParser Configuration")
        ),

        // What the server needs.
        .systemLibrary(name: "CMariaDB", pkgConfig: "libmariadb", providers: [.apt(["libmariadb-dev"])]),
        .systemLibrary(name: "CZlib"),
        .target(name: "ConfigStore", dependencies: uses("ConfigModel ConfigRules ConfigSchemas Files Logging Metrics")),
        .target(
            name: "SQLiteStore",
            dependencies: uses("ConfigModel ConfigStore Files") + uses("GRDB GRDBSQLite", only: "Server")
        ),
        .target(name: "ConfigStoreTesting", dependencies: uses("ConfigModel ConfigRules ConfigSchemas ConfigStore")),
        .target(
            name: "MariaDBStore",
            dependencies: uses("ConfigModel ConfigStore Logging") + uses("CMariaDB", only: "MariaDB")
        ),
        .target(
            name: "EtcdStore",
            dependencies: uses("ConfigModel ConfigSchemas ConfigStore Logging")
                + uses("AsyncHTTPClient HashTreeCollections NIOCore NIOHTTP1 NIOPosix NIOSSL", only: "Etcd")
        ),
        .target(
            name: "ConfigServer",
            dependencies: uses("ConfigModel ConfigRules ConfigStore CZlib Files Observing")
                + uses("HashTreeCollections Logging ServiceLifecycle")
                + uses("HummingbirdCore Metrics NIOCore NIOHTTP1 NIOPosix NIOSSL", only: "Server")
        ),
        .executableTarget(
            name: "LiveryServer",
            dependencies: uses("ConfigModel ConfigServer ConfigStore EtcdStore Files MariaDBStore Programs SQLiteStore")
                + uses("ArgumentParser Configuration Logging ServiceLifecycle UnixSignals")
                + uses("Metrics", only: "Server")
        ),

        // What measures and tests.
        .executableTarget(
            name: "LiveryBenchmarks",
            dependencies: uses(
                "ConfigDefinitions ConfigModel ConfigRules Observing RemoteConfig TerminalUI TestSupport"
            )
                + uses("ArgumentParser Configuration"),
            path: "Benchmarks/Sources"
        ),
        .executableTarget(name: "ServerLoad", path: "Benchmarks/ServerLoad", cSettings: [.define("_GNU_SOURCE")]),
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(name: "TestSupport", dependencies: uses("ConfigModel CTestSupport"), path: "Tests/TestSupport"),
        .target(
            name: "StoreTestSupport",
            dependencies: uses("ConfigModel ConfigStore ConfigStoreTesting EtcdStore MariaDBStore TestSupport Logging"),
            path: "Tests/StoreTestSupport"
        ),
        .executableTarget(
            name: "CacheProbe",
            dependencies: uses("ConfigModel RemoteConfig"),
            path: "Tests/CacheProbe"
        ),
        .executableTarget(name: "TerminalProbe", dependencies: uses("TerminalUI"), path: "Tests/TerminalProbe"),
        .executableTarget(
            name: "TransportProbe",
            dependencies: uses("ConfigModel HTTPTransport RemoteConfig TestSupport"),
            path: "Tests/TransportProbe"
        ),
        .testTarget(
            name: "ConfigRulesTests",
            dependencies: uses("ConfigModel ConfigRules TestSupport"),
            exclude: ["Reference"]
        ),
        .testTarget(
            name: "ConfigSchemasTests",
            dependencies: uses("ConfigModel ConfigSchemas TestSupport"),
            exclude: ["Suite"]
        ),
        .testTarget(
            name: "LiveryAppTests",
            dependencies: uses("ConfigDefinitions ConfigSchemas Files LiveryApp Programs TestSupport Configuration"),
            exclude: ["Goldens"]
        ),
    ] + tests.map { .testTarget(name: $0 + "Tests", dependencies: uses($1)) },
    swiftLanguageModes: [.v6]
)

// One rule for every Swift target, so that no module is stricter or laxer than its neighbours.
let targetsInC = ["CCurl", "CFileSystem", "CMariaDB", "CNCurses", "CTerminalGuard", "CTestSupport", "CZlib"]
for target in package.targets where !targetsInC.contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .treatAllWarnings(as: .error),
    ]
}

// The test targets to build, by their modules' names; all others are left out: LIVERY_TESTS="ConfigRules ConfigSchemas".
if let tests = Context.environment["LIVERY_TESTS"]?.split(separator: " ") {
    package.targets.removeAll { $0.type == .test && !tests.contains($0.name.dropLast("Tests".count)) }
}

// Modules to optimize in a build that is not, by their names: Scripts/test sets this for what its tests compute with.
if let optimized = Context.environment["LIVERY_OPTIMIZED_TARGETS"]?.split(separator: " ") {
    for target in package.targets where optimized.contains(Substring(target.name)) {
        // For the frontend: the -Onone of the command line, which comes later, would undo it for the driver.
        target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-O"]))
    }
}
