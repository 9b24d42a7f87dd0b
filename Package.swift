// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// Where Homebrew has ncurses, its own file says. Elsewhere it is where the compiler looks, and a file such as Debian's, with
// macros in it, makes SwiftPM warn in every app.
#if os(macOS)
    let ncurses: String? = "ncursesw"
#else
    let ncurses: String? = nil
#endif

// The traits of the tests and of the packages of the examples, which Scripts/test builds with the same modules: all by default,
// LIVERY_TRAITS=all, or the usual ones, LIVERY_TRAITS=default.
let testTraits = Context.environment["LIVERY_TRAITS"]

// Products that several targets use.
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let configuration: Target.Dependency = .product(name: "Configuration", package: "swift-configuration")
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let serviceLifecycle: Target.Dependency = .product(
    name: "ServiceLifecycle",
    package: "swift-service-lifecycle",
    condition: .when(traits: ["Server"])
)
/// For what a graceful shutdown ends.
let gracefulShutdown: Target.Dependency = .product(
    name: "ServiceLifecycle",
    package: "swift-service-lifecycle",
    condition: .when(traits: ["ServiceLifecycle"])
)
let hashTrees: Target.Dependency = .product(name: "HashTreeCollections", package: "swift-collections")
let metrics: Target.Dependency = .product(name: "Metrics", package: "swift-metrics")
let inMemoryLogging: Target.Dependency = .product(name: "InMemoryLogging", package: "swift-log")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"]))

/// Products of packages that are needed with a trait only.
func products(_ packages: KeyValuePairs<String, String>, trait: String) -> [Target.Dependency] {
    packages.map { .product(name: $0, package: $1, condition: .when(traits: [trait])) }
}

/// SwiftNIO, with TLS.
func nio(trait: String) -> [Target.Dependency] {
    let packages: KeyValuePairs = [
        "NIOCore": "swift-nio", "NIOHTTP1": "swift-nio", "NIOPosix": "swift-nio", "NIOSSL": "swift-nio-ssl",
    ]
    return products(packages, trait: trait)
}

let package = Package(
    name: "livery",
    platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
    products: [
        .executable(name: "livery", targets: ["LiveryApp"]),
        .executable(name: "livery-server", targets: ["LiveryServer"]),
        .library(
            name: "ConfigDefinitions",
            targets: ["Basics", "ConfigDefinitions", "ConfigModel", "ConfigRules", "Observing"]
        ),
        .library(name: "ConfigClient", targets: ["ConfigClient", "ConfigModel", "ConfigWire"]),
        .library(
            name: "RemoteConfig",
            targets: ["RemoteConfig", "ConfigClient", "ConfigModel", "ConfigRules", "ConfigWire"]
        ),
        .library(name: "RemoteConfigTesting", targets: ["RemoteConfigTesting"]),
        .library(name: "TerminalUI", targets: ["Basics", "TerminalUI"]),
        .library(
            name: "ConfigServer",
            targets: [
                "ConfigServer", "ConfigHub", "ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigStore", "ConfigWire",
                "EtcdStore", "MariaDBStore", "Observing", "SQLiteStore",
            ]
        ),
        .library(name: "ConfigRules", targets: ["ConfigRules", "ConfigModel"]),
        .plugin(name: "TypedKeys", targets: ["TypedKeys"]),
        .library(name: "ConfigSchemas", targets: ["ConfigSchemas", "ConfigModel"]),
        .library(
            name: "ConfigStoreTesting",
            targets: [
                "ConfigStoreTesting", "ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigStore",
            ]
        ),
    ],
    // MariaDB and etcd are what the server can store in besides SQLite: `swift build --traits MariaDB,Etcd`.
    traits: [
        .default(enabledTraits: ["Server", "ServiceLifecycle"]),
        .trait(name: "Server", description: "livery-server and the library ConfigServer."),
        .trait(
            name: "MariaDB",
            description: "livery-server can store in MariaDB, through libmariadb.",
            enabledTraits: ["Server"]
        ),
        .trait(name: "Etcd", description: "livery-server can store in etcd.", enabledTraits: ["Server"]),
        .trait(
            name: "ServiceLifecycle",
            description: "A RemoteConfigService runs in a ServiceGroup, and ends with it."
        ),
        .trait(name: "YAML", description: "RemoteConfig reads YAML files."),
    ],
    dependencies: [
        // What an app takes with `traits: []`.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(
            url: "https://github.com/apple/swift-configuration",
            from: "1.4.0",
            // An example uses this one.
            traits: testTraits == nil ? [] : ["CommandLineArguments"]
        ),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        // The server's HTTP.
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        // Its stores.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        // What an app takes by a trait.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        // The kits, which know nothing of configuration, and what a client needs.
        .target(name: "Basics"),
        .target(name: "CLibrary"),
        .target(name: "ConfigModel", dependencies: ["Basics", "Essentials", hashTrees]),
        .target(name: "TextPatterns", dependencies: ["Basics"]),
        .target(name: "ConfigSchemas", dependencies: ["ConfigModel", "TextPatterns"]),
        .target(name: "SchemaSwift", dependencies: ["ConfigModel", "ConfigSchemas"]),
        .executableTarget(name: "SchemaSwiftTool", dependencies: ["CLibrary", "Files", "SchemaSwift"]),
        .plugin(name: "TypedKeys", capability: .buildTool(), dependencies: ["SchemaSwiftTool"]),
        .target(name: "ConfigRules", dependencies: ["ConfigModel"]),
        .target(name: "ConfigWire", dependencies: ["ConfigModel"]),
        .systemLibrary(name: "CFileSystem"),
        .target(name: "Files", dependencies: ["Basics", "CFileSystem", "CLibrary", systemPackage]),
        .target(name: "Observing", dependencies: ["Basics", gracefulShutdown]),
        .target(name: "Essentials"),
        .target(name: "CCurl"),
        .target(name: "HTTPTransport", dependencies: ["Basics", "Essentials"]),
        .target(name: "CurlTransport", dependencies: ["Basics", "CCurl", "Essentials", "HTTPTransport"]),
        // Where there is no libcurl. On Linux only tests link it, and with it FoundationNetworking.
        .target(name: "URLSessionTransport", dependencies: ["Basics", "HTTPTransport"]),
        .target(
            name: "ConfigClient",
            dependencies: [
                "Basics", "ConfigModel", "ConfigWire", "Essentials", "Files", "HTTPTransport", "Observing",
                .target(name: "CurlTransport", condition: .when(platforms: [.linux, .macOS])),
                .target(name: "URLSessionTransport", condition: .when(platforms: [.iOS, .tvOS, .watchOS, .visionOS])),
            ]
        ),
        .target(
            name: "RemoteConfig",
            dependencies: [
                "ConfigClient", "ConfigModel", "ConfigRules", "ConfigWire", "Essentials", "Files", "HTTPTransport",
                "Observing", configuration, gracefulShutdown, logging, metrics,
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "Yams", package: "Yams", condition: .when(traits: ["YAML"])),
            ]
        ),
        .target(
            name: "RemoteConfigTesting",
            dependencies: [
                "ConfigModel", "ConfigRules", "ConfigWire", "Essentials", "Observing", "RemoteConfig", logging, metrics,
                serviceLifecycle,
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .target(name: "ConfigHub", condition: .when(traits: ["Server"])),
                .target(name: "ConfigServer", condition: .when(traits: ["Server"])),
                .target(name: "ConfigStoreTesting", condition: .when(traits: ["Server"])),
            ]
        ),
        .target(
            name: "ConfigDefinitions",
            dependencies: [
                "ConfigModel", "ConfigRules", "Essentials", "Files", "Observing", "TextPatterns", configuration,
            ]
        ),
        .systemLibrary(
            name: "CNCurses",
            pkgConfig: ncurses,
            // Once called libncursesw5-dev.
            providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]
        ),
        .target(name: "CTerminalGuard"),
        .target(name: "CThreadGuard", dependencies: ["CTerminalGuard"]),
        .target(name: "TerminalUI", dependencies: ["Basics", "CLibrary", "CNCurses", "CTerminalGuard", "Essentials"]),
        .target(
            name: "ConfigChanges",
            dependencies: ["ConfigClient", "ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigWire", "TerminalUI"]
        ),
        .target(
            name: "Programs",
            dependencies: [
                "Basics", "CLibrary", "CTerminalGuard", "CThreadGuard", "Essentials", "Files", argumentParser,
            ]
        ),
        .target(
            name: "LiveryScreens",
            dependencies: [
                "ConfigChanges", "ConfigClient", "ConfigDefinitions", "ConfigModel", "ConfigRules", "ConfigSchemas",
                "ConfigWire", "Essentials", "Files", "Observing", "Programs", "RemoteConfig", "TerminalUI",
                "TextPatterns", configuration,
            ]
        ),
        .target(
            name: "LiveryCommands",
            dependencies: [
                "ConfigChanges", "ConfigClient", "ConfigDefinitions", "ConfigModel", "ConfigRules", "ConfigSchemas",
                "ConfigWire", "Essentials", "Files", "HTTPTransport", "Observing", "Programs", "RemoteConfig",
                "SchemaSwift", "TerminalUI", argumentParser,
            ]
        ),
        .executableTarget(
            name: "LiveryApp",
            dependencies: [
                "ConfigDefinitions", "ConfigModel", "ConfigRules", "Essentials", "Files", "LiveryCommands",
                "LiveryScreens", "Programs", "RemoteConfig", "TerminalUI", argumentParser,
            ]
        ),

        // What the server needs.
        .systemLibrary(name: "CMariaDB", pkgConfig: "libmariadb", providers: [.apt(["libmariadb-dev"])]),
        .systemLibrary(name: "CZlib"),
        .target(
            name: "ConfigStore",
            dependencies: ["ConfigModel", "ConfigRules", "ConfigSchemas", "Files", logging, metrics]
        ),
        .target(
            name: "SQLiteStore",
            dependencies: [
                "Basics", "ConfigModel", "ConfigStore", "Files", systemPackage,
            ] + products(["GRDB": "GRDB.swift", "GRDBSQLite": "GRDB.swift"], trait: "Server")
        ),
        .target(
            name: "ConfigStoreTesting",
            dependencies: ["ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigStore"]
        ),
        .target(
            name: "MariaDBStore",
            dependencies: [
                "ConfigModel", "ConfigStore", logging,
                .target(name: "CMariaDB", condition: .when(traits: ["MariaDB"])),
            ]
        ),
        .target(
            name: "EtcdStore",
            dependencies: [
                "ConfigModel", "ConfigSchemas", "ConfigStore", logging,
            ] + nio(trait: "Etcd")
                + products(
                    ["AsyncHTTPClient": "async-http-client", "HashTreeCollections": "swift-collections"],
                    trait: "Etcd"
                )
        ),
        .target(
            name: "ConfigHub",
            dependencies: [
                "ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigStore", "ConfigWire", "Observing", hashTrees,
                logging, metrics, serviceLifecycle, nioCore,
            ]
        ),
        .target(
            name: "ConfigServer",
            dependencies: [
                "CZlib", "ConfigHub", "ConfigModel", "ConfigRules", "ConfigStore", "ConfigWire", "Files", "Observing",
                hashTrees, logging, serviceLifecycle,
            ] + nio(trait: "Server")
                + products(["HummingbirdCore": "hummingbird", "Metrics": "swift-metrics"], trait: "Server")
        ),
        .executableTarget(
            name: "LiveryServer",
            dependencies: [
                "ConfigHub", "ConfigModel", "ConfigServer", "ConfigStore", "ConfigWire", "EtcdStore", "Files",
                "MariaDBStore", "Programs", "SQLiteStore", argumentParser, configuration, logging, serviceLifecycle,
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Metrics", package: "swift-metrics", condition: .when(traits: ["Server"])),
            ]
        ),

        // What measures and tests.
        .executableTarget(
            name: "LiveryBenchmarks",
            dependencies: [
                "CLibrary", "ConfigDefinitions", "ConfigModel", "ConfigRules", "ConfigWire", "Observing",
                "RemoteConfig", "TerminalUI", "TestSupport", argumentParser, configuration,
            ],
            path: "Benchmarks/Sources"
        ),
        .executableTarget(name: "ServerLoad", path: "Benchmarks/ServerLoad", cSettings: [.define("_GNU_SOURCE")]),
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(name: "TestSupport", dependencies: ["CTestSupport", "ConfigModel"], path: "Tests/TestSupport"),
        .target(
            name: "StoreTestSupport",
            dependencies: [
                "ConfigModel", "ConfigStore", "ConfigStoreTesting", "EtcdStore", "MariaDBStore", "TestSupport", logging,
            ],
            path: "Tests/StoreTestSupport"
        ),
        .target(
            name: "HubTestSupport",
            dependencies: [
                "ConfigHub", "ConfigModel", "ConfigStore", "ConfigStoreTesting", "TestSupport", hashTrees, logging,
                serviceLifecycle,
            ],
            path: "Tests/HubTestSupport"
        ),
        .executableTarget(
            name: "CacheProbe",
            dependencies: ["ConfigModel", "ConfigWire", "RemoteConfig"],
            path: "Tests/CacheProbe"
        ),
        .executableTarget(name: "TerminalProbe", dependencies: ["TerminalUI"], path: "Tests/TerminalProbe"),
        .executableTarget(
            name: "TransportProbe",
            dependencies: ["ConfigClient", "ConfigModel", "HTTPTransport", "RemoteConfig", "TestSupport"],
            path: "Tests/TransportProbe"
        ),
        .testTarget(
            name: "ConfigRulesTests",
            dependencies: ["ConfigModel", "ConfigRules", "TestSupport"],
            exclude: ["Reference"]
        ),
        .testTarget(
            name: "ConfigSchemasTests",
            dependencies: ["ConfigModel", "ConfigSchemas", "TestSupport"],
            exclude: ["Suite"]
        ),
        .testTarget(
            name: "SchemaSwiftTests",
            dependencies: ["ConfigDefinitions", "ConfigModel", "ConfigSchemas", "SchemaSwift", "TestSupport"]
        ),
        .testTarget(
            name: "LiveryAppTests",
            dependencies: [
                "ConfigModel", "ConfigRules", "Files", "LiveryApp", "LiveryCommands", "LiveryScreens", "Programs",
                "RemoteConfig", "TerminalUI", "TestSupport", argumentParser,
            ]
        ),
        .testTarget(
            name: "LiveryCommandsTests",
            dependencies: [
                "ConfigChanges", "ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigWire", "Files", "LiveryCommands",
                "Programs", "RemoteConfig", "RemoteConfigTesting", "TerminalUI", "TestSupport", argumentParser,
            ]
        ),
        .testTarget(
            name: "ConfigChangesTests",
            dependencies: ["ConfigChanges", "ConfigModel", "ConfigRules", "ConfigWire", "TestSupport"]
        ),
        .testTarget(
            name: "LiveryScreensTests",
            dependencies: [
                "ConfigChanges", "ConfigDefinitions", "ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigWire",
                "LiveryScreens", "Observing", "Programs", "RemoteConfig", "TerminalUI", "TestSupport", configuration,
            ],
            exclude: ["Goldens"]
        ),
        .testTarget(name: "ArchitectureTests"),
        .testTarget(name: "BasicsTests", dependencies: ["Basics", "TestSupport"]),
        .testTarget(
            name: "ConfigDefinitionsTests",
            dependencies: [
                "ConfigDefinitions", "ConfigModel", "ConfigRules", "ConfigSchemas", "Files", "Observing",
                "RemoteConfig", "RemoteConfigTesting", "TestSupport", configuration,
            ]
        ),
        .testTarget(name: "ConfigModelTests", dependencies: ["ConfigModel", "TestSupport"]),
        .testTarget(
            name: "ConfigClientTests",
            dependencies: ["ConfigClient", "ConfigModel", "ConfigWire", "HTTPTransport", "TestSupport"]
        ),
        .testTarget(name: "ConfigWireTests", dependencies: ["ConfigModel", "ConfigWire"]),
        .testTarget(
            name: "ConfigHubTests",
            dependencies: [
                "ConfigHub", "ConfigModel", "ConfigStore", "ConfigStoreTesting", "ConfigWire", "EtcdStore",
                "HubTestSupport", "Observing", "SQLiteStore", "StoreTestSupport", "TestSupport", hashTrees,
                inMemoryLogging, logging, nioCore,
            ]
        ),
        .testTarget(
            name: "ConfigServerTests",
            dependencies: [
                "ConfigHub", "ConfigModel", "ConfigServer", "ConfigStore", "ConfigStoreTesting", "ConfigWire", "Files",
                "HubTestSupport", "Observing", "SQLiteStore", "TestSupport", hashTrees, inMemoryLogging, logging,
                nioCore, serviceLifecycle,
                .product(name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
            ]
        ),
        .testTarget(
            name: "ConfigStoreTests",
            dependencies: [
                "ConfigModel", "ConfigSchemas", "ConfigStore", "ConfigStoreTesting", "TestSupport", inMemoryLogging,
                logging, metrics,
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]
        ),
        .testTarget(
            name: "EtcdStoreTests",
            dependencies: [
                "ConfigModel", "ConfigStore", "ConfigStoreTesting", "EtcdStore", "StoreTestSupport", "TestSupport",
                inMemoryLogging, logging,
            ]
        ),
        .testTarget(
            name: "FilesTests",
            dependencies: ["Basics", "CFileSystem", "Files", "TestSupport", systemPackage]
        ),
        .testTarget(
            name: "HTTPTransportTests",
            dependencies: [
                "Basics", "CurlTransport", "HTTPTransport", "TestSupport", "TransportProbe", "URLSessionTransport",
            ]
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "CTestSupport", "ConfigClient", "ConfigModel", "ConfigWire", "Files", "HTTPTransport", "LiveryApp",
                "LiveryScreens", "LiveryServer", "Observing", "RemoteConfig", "TerminalProbe", "TerminalUI",
                "TestSupport", systemPackage,
            ]
        ),
        .testTarget(
            name: "LiveryServerTests",
            dependencies: [
                "ConfigModel", "ConfigStore", "EtcdStore", "Files", "LiveryServer", "MariaDBStore", argumentParser,
                logging,
            ]
        ),
        .testTarget(
            name: "MariaDBStoreTests",
            dependencies: [
                "ConfigModel", "ConfigStore", "ConfigStoreTesting", "MariaDBStore", "StoreTestSupport", "TestSupport",
                inMemoryLogging, logging,
            ]
        ),
        .testTarget(name: "ObservingTests", dependencies: ["Observing", "TestSupport"]),
        .testTarget(
            name: "RemoteConfigTests",
            dependencies: [
                "CacheProbe", "ConfigClient", "ConfigDefinitions", "ConfigRules", "ConfigWire", "Files",
                "HTTPTransport", "Observing", "RemoteConfig", "RemoteConfigTesting", "TestSupport", configuration,
                inMemoryLogging, systemPackage,
                .product(name: "ConfigurationTesting", package: "swift-configuration"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ]
        ),
        .testTarget(
            name: "RemoteConfigTestingTests",
            dependencies: [
                "ConfigDefinitions", "ConfigModel", "ConfigRules", "Observing", "RemoteConfig", "RemoteConfigTesting",
                "TestSupport", configuration,
            ]
        ),
        .testTarget(
            name: "SQLiteStoreTests",
            dependencies: [
                "ConfigModel", "ConfigStore", "ConfigStoreTesting", "Files", "SQLiteStore", "StoreTestSupport",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Server"])),
            ]
        ),
        .testTarget(
            name: "TerminalUITests",
            dependencies: ["Basics", "CTerminalGuard", "CTestSupport", "TerminalUI", "TestSupport"]
        ),
        .testTarget(name: "TestSupportTests", dependencies: ["ConfigModel", "TestSupport"]),
        .testTarget(name: "TextPatternsTests", dependencies: ["TestSupport", "TextPatterns"]),
    ],
    swiftLanguageModes: [.v6]
)

// One rule for every Swift target, so that no module is stricter or laxer than its neighbours.
let targetsInC = [
    "CCurl", "CFileSystem", "CMariaDB", "CNCurses", "CTerminalGuard", "CTestSupport", "CThreadGuard", "CZlib",
]
for target in package.targets where target.type != .plugin && !targetsInC.contains(target.name) {
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

if testTraits == "all" {
    package.traits = package.traits.filter { $0.name != "default" }
    package.traits.insert(.default(enabledTraits: Set(package.traits.map(\.name))))
}

// Without the plugin: LIVERY_PLUGINS=none. A build of everything compiles the modules of its tool twice, since the tool runs on the
// machine that builds.
if Context.environment["LIVERY_PLUGINS"] == "none" {
    package.products.removeAll { $0.name == "TypedKeys" }
    package.targets.removeAll { $0.type == .plugin }
}

// Modules to optimize in a build that is not, by their names: Scripts/test sets this for what its tests compute with. Only with
// `-c release`, which compiles whole modules: in a debug build, optimized and other modules together compute wrong results.
if let optimized = Context.environment["LIVERY_OPTIMIZED_TARGETS"]?.split(separator: " ") {
    for target in package.targets where optimized.contains(Substring(target.name)) {
        // For the frontend: the -Onone of the command line, which comes later, would undo it for the driver.
        target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-O"]))
    }
}
