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

// One rule for every Swift target, so that no module is stricter or laxer than its neighbours.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "livery",
    platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
    products: [
        .executable(name: "livery", targets: ["LiveryApp"]),
        .executable(name: "livery-server", targets: ["LiveryServer"]),
        .library(name: "ConfigDefinitions", targets: ["ConfigDefinitions", "ConfigModel", "ConfigRules"]),
        .library(name: "ConfigClient", targets: ["ConfigClient", "ConfigModel", "ConfigWire"]),
        .library(name: "RemoteConfig", targets: ["RemoteConfig", "ConfigModel", "ConfigRules"]),
        .library(name: "RemoteConfigTesting", targets: ["RemoteConfigTesting"]),
        .library(name: "TerminalUI", targets: ["Basics", "TerminalUI"]),
        .library(
            name: "ConfigServer",
            targets: [
                "ConfigServer", "ConfigHub", "ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigStore", "ConfigWire",
                "EtcdStore", "MariaDBStore", "SQLiteStore",
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
        .target(name: "CCurl"),
        .systemLibrary(name: "CFileSystem"),
        .systemLibrary(name: "CMariaDB", pkgConfig: "libmariadb", providers: [.apt(["libmariadb-dev"])]),
        .systemLibrary(
            name: "CNCurses",
            pkgConfig: ncurses,
            // Once called libncursesw5-dev.
            providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]
        ),
        .target(name: "CTerminalGuard"),
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(name: "CThreadGuard", dependencies: ["CTerminalGuard"]),
        .systemLibrary(name: "CZlib"),
        .executableTarget(
            name: "ServerLoad",
            path: "Benchmarks/ServerLoad",
            cSettings: [.define("_GNU_SOURCE")],
            swiftSettings: settings
        ),
        .plugin(name: "TypedKeys", capability: .buildTool(), dependencies: ["SchemaSwiftTool"]),
    ],
    swiftLanguageModes: [.v6]
)

// The libraries, each with the modules and the products of other packages that it uses: `Trait:Name` only with this trait,
// `computers:Name` and `devices:Name` only on these platforms.
let libraries: KeyValuePairs<String, [String]> = [
    // The kits, which know nothing of configuration, and what a client needs.
    "Basics": [],
    "CLibrary": [],
    "ConfigModel": ["Basics", "Essentials", "HashTreeCollections"],
    "TextPatterns": ["Basics"],
    "ConfigSchemas": ["ConfigModel", "TextPatterns"],
    "SchemaSwift": ["ConfigModel", "ConfigSchemas"],
    "ConfigRules": ["ConfigModel"],
    "ConfigWire": ["ConfigModel"],
    "Files": ["Basics", "CFileSystem", "CLibrary", "SystemPackage"],
    "Observing": ["Basics", "ServiceLifecycle:ServiceLifecycle"],
    "Essentials": [],
    "HTTPTransport": ["Basics", "Essentials"],
    "CurlTransport": ["Basics", "CCurl", "Essentials", "HTTPTransport"],
    // Where there is no libcurl. On Linux only tests link it, and with it FoundationNetworking.
    "URLSessionTransport": ["Basics", "HTTPTransport"],
    "ConfigClient": [
        "Basics", "ConfigModel", "ConfigWire", "Essentials", "Files", "HTTPTransport", "Observing",
        "computers:CurlTransport", "devices:URLSessionTransport",
    ],
    "RemoteConfig": [
        "Basics", "ConfigClient", "ConfigModel", "ConfigRules", "ConfigWire", "Configuration", "Essentials", "Files",
        "HTTPTransport", "Logging", "Metrics", "Observing", "Tracing", "ServiceLifecycle:ServiceLifecycle", "YAML:Yams",
    ],
    "RemoteConfigTesting": [
        "ConfigModel", "ConfigRules", "ConfigWire", "Essentials", "Logging", "Metrics", "Observing", "RemoteConfig",
        "Tracing", "Server:ConfigHub", "Server:ConfigServer", "Server:ConfigStoreTesting", "Server:ServiceLifecycle",
    ],
    "ConfigDefinitions": [
        "ConfigModel", "ConfigRules", "Configuration", "Essentials", "Files", "Observing", "TextPatterns",
    ],
    "TerminalUI": ["Basics", "CLibrary", "CNCurses", "CTerminalGuard", "Essentials"],
    "ConfigChanges": ["ConfigClient", "ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigWire"],
    "Programs": ["ArgumentParser", "Basics", "CLibrary", "CTerminalGuard", "CThreadGuard", "Essentials", "Files"],
    "LiveryScreens": [
        "Basics", "ConfigChanges", "ConfigClient", "ConfigDefinitions", "ConfigModel", "ConfigRules", "ConfigSchemas",
        "ConfigWire", "Configuration", "Essentials", "Files", "Observing", "Programs", "RemoteConfig", "TerminalUI",
        "TextPatterns",
    ],
    "LiveryCommands": [
        "ArgumentParser", "ConfigChanges", "ConfigClient", "ConfigDefinitions", "ConfigModel", "ConfigRules",
        "ConfigSchemas", "ConfigWire", "Essentials", "Files", "HTTPTransport", "Observing", "Programs", "RemoteConfig",
        "SchemaSwift", "TerminalUI",
    ],
    // What the server needs.
    "ConfigStore": ["ConfigModel", "ConfigRules", "ConfigSchemas", "Files", "Logging", "Metrics"],
    "SQLiteStore": [
        "Basics", "ConfigModel", "ConfigStore", "Files", "SystemPackage", "Server:GRDB", "Server:GRDBSQLite",
    ],
    "ConfigStoreTesting": ["ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigStore"],
    "MariaDBStore": ["ConfigModel", "ConfigStore", "Logging", "MariaDB:CMariaDB"],
    "EtcdStore": [
        "ConfigModel", "ConfigSchemas", "ConfigStore", "Logging", "Etcd:AsyncHTTPClient", "Etcd:HashTreeCollections",
        "Etcd:NIOCore", "Etcd:NIOHTTP1", "Etcd:NIOPosix", "Etcd:NIOSSL",
    ],
    "ConfigHub": [
        "ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigStore", "ConfigWire", "HashTreeCollections", "Logging",
        "Metrics", "Observing", "Server:NIOCore", "Server:ServiceLifecycle",
    ],
    "ConfigServer": [
        "CZlib", "ConfigHub", "ConfigModel", "ConfigRules", "ConfigStore", "ConfigWire", "Files", "HashTreeCollections",
        "Logging", "Observing", "Server:HummingbirdCore", "Server:Metrics", "Server:NIOCore", "Server:NIOHTTP1",
        "Server:NIOPosix", "Server:NIOSSL", "Server:ServiceLifecycle",
    ],
    // What tests and measurements need.
    "TestSupport": ["CTestSupport", "ConfigModel"],
    "StoreTestSupport": [
        "ConfigModel", "ConfigStore", "ConfigStoreTesting", "EtcdStore", "Logging", "MariaDBStore", "TestSupport",
    ],
    "FleetSimulation": [
        "ConfigHub", "ConfigModel", "ConfigSchemas", "ConfigServer", "ConfigStore", "ConfigWire", "HTTPTransport",
        "Logging", "RemoteConfig", "TestSupport", "Server:NIOCore",
    ],
    "HubTestSupport": [
        "ConfigHub", "ConfigModel", "ConfigStore", "ConfigStoreTesting", "HashTreeCollections", "Logging",
        "TestSupport", "Server:ServiceLifecycle",
    ],
]

let programs: KeyValuePairs<String, [String]> = [
    "SchemaSwiftTool": ["CLibrary", "Files", "SchemaSwift"],
    "LiveryApp": [
        "ArgumentParser", "ConfigClient", "ConfigDefinitions", "ConfigModel", "ConfigRules", "Essentials", "Files",
        "LiveryCommands", "LiveryScreens", "Programs", "RemoteConfig", "TerminalUI",
    ],
    "LiveryServer": [
        "ArgumentParser", "ConfigHub", "ConfigModel", "ConfigServer", "ConfigStore", "ConfigWire", "Configuration",
        "EtcdStore", "Files", "Logging", "MariaDBStore", "Programs", "SQLiteStore", "UnixSignals", "Server:Metrics",
        "Server:ServiceLifecycle",
    ],
    "LiveryBenchmarks": [
        "ArgumentParser", "CLibrary", "ConfigClient", "ConfigDefinitions", "ConfigModel", "ConfigRules", "ConfigWire",
        "Configuration", "Files", "FleetSimulation", "HTTPTransport", "Observing", "RemoteConfig", "TerminalUI",
        "TestSupport", "Server:NIOCore", "Server:NIOPosix", "Server:NIOSSL",
    ],
    "CacheProbe": ["ConfigModel", "ConfigWire", "RemoteConfig"],
    "TerminalProbe": ["TerminalUI"],
    "TransportProbe": ["ConfigClient", "ConfigModel", "HTTPTransport", "RemoteConfig", "TestSupport"],
]

let tests: KeyValuePairs<String, [String]> = [
    "ConfigRulesTests": ["ConfigModel", "ConfigRules", "TestSupport"],
    "ConfigSchemasTests": ["ConfigModel", "ConfigSchemas", "TestSupport"],
    "SchemaSwiftTests": ["ConfigDefinitions", "ConfigModel", "ConfigSchemas", "SchemaSwift", "TestSupport"],
    "LiveryAppTests": [
        "ArgumentParser", "ConfigModel", "ConfigRules", "Files", "LiveryApp", "LiveryCommands", "LiveryScreens",
        "Programs", "RemoteConfig", "TerminalUI", "TestSupport",
    ],
    "LiveryCommandsTests": [
        "ArgumentParser", "ConfigChanges", "ConfigClient", "ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigWire",
        "Files", "LiveryCommands", "Programs", "RemoteConfig", "RemoteConfigTesting", "TerminalUI", "TestSupport",
    ],
    "ConfigChangesTests": ["ConfigChanges", "ConfigClient", "ConfigModel", "ConfigRules", "ConfigWire", "TestSupport"],
    "LiveryScreensTests": [
        "ConfigChanges", "ConfigDefinitions", "ConfigModel", "ConfigRules", "ConfigSchemas", "ConfigWire",
        "Configuration", "LiveryScreens", "Observing", "Programs", "RemoteConfig", "TerminalUI", "TestSupport",
    ],
    "ArchitectureTests": [],
    "BasicsTests": ["Basics", "TestSupport"],
    "ConfigDefinitionsTests": [
        "ConfigDefinitions", "ConfigModel", "ConfigRules", "ConfigSchemas", "Configuration", "Files", "Observing",
        "RemoteConfig", "RemoteConfigTesting", "TestSupport",
    ],
    "ConfigModelTests": ["ConfigModel", "TestSupport"],
    "ConfigClientTests": ["ConfigClient", "ConfigModel", "ConfigWire", "HTTPTransport", "TestSupport"],
    "ConfigWireTests": ["ConfigModel", "ConfigWire"],
    "ConfigHubTests": [
        "ConfigHub", "ConfigModel", "ConfigStore", "ConfigStoreTesting", "ConfigWire", "EtcdStore",
        "HashTreeCollections", "HubTestSupport", "InMemoryLogging", "Logging", "Observing", "SQLiteStore",
        "StoreTestSupport", "TestSupport", "Server:NIOCore",
    ],
    "ConfigServerTests": [
        "ConfigHub", "ConfigModel", "ConfigServer", "ConfigStore", "ConfigStoreTesting", "ConfigWire", "Files",
        "HashTreeCollections", "HubTestSupport", "InMemoryLogging", "Logging", "Observing", "SQLiteStore",
        "TestSupport", "Server:NIOCore", "Server:NIOEmbedded", "Server:NIOHTTP1", "Server:ServiceLifecycle",
    ],
    "ConfigStoreTests": [
        "ConfigModel", "ConfigSchemas", "ConfigStore", "ConfigStoreTesting", "InMemoryLogging", "Logging", "Metrics",
        "MetricsTestKit", "TestSupport",
    ],
    "EtcdStoreTests": [
        "ConfigModel", "ConfigStore", "ConfigStoreTesting", "EtcdStore", "InMemoryLogging", "Logging",
        "StoreTestSupport", "TestSupport",
    ],
    "FleetSimulationTests": ["FleetSimulation", "TestSupport"],
    "FilesTests": ["Basics", "CFileSystem", "Files", "SystemPackage", "TestSupport"],
    "HTTPTransportTests": [
        "Basics", "CurlTransport", "HTTPTransport", "TestSupport", "TransportProbe", "URLSessionTransport",
    ],
    "IntegrationTests": [
        "CTestSupport", "ConfigClient", "ConfigModel", "ConfigWire", "Files", "HTTPTransport", "LiveryApp",
        "LiveryScreens", "LiveryServer", "Observing", "RemoteConfig", "SystemPackage", "TerminalProbe", "TerminalUI",
        "TestSupport",
    ],
    "LiveryServerTests": [
        "ArgumentParser", "ConfigModel", "ConfigStore", "EtcdStore", "Files", "LiveryServer", "Logging", "MariaDBStore",
    ],
    "MariaDBStoreTests": [
        "ConfigModel", "ConfigStore", "ConfigStoreTesting", "InMemoryLogging", "Logging", "MariaDBStore",
        "StoreTestSupport", "TestSupport",
    ],
    "ObservingTests": ["Observing", "TestSupport"],
    "RemoteConfigTests": [
        "CacheProbe", "ConfigClient", "ConfigDefinitions", "ConfigRules", "ConfigWire", "Configuration",
        "ConfigurationTesting", "Files", "HTTPTransport", "InMemoryLogging", "InMemoryTracing", "MetricsTestKit",
        "Observing", "RemoteConfig", "RemoteConfigTesting", "SystemPackage", "TestSupport",
    ],
    "RemoteConfigTestingTests": [
        "ConfigDefinitions", "ConfigModel", "ConfigRules", "Configuration", "Observing", "RemoteConfig",
        "RemoteConfigTesting", "TestSupport",
    ],
    "SQLiteStoreTests": [
        "ConfigModel", "ConfigStore", "ConfigStoreTesting", "Files", "SQLiteStore", "StoreTestSupport", "TestSupport",
        "Server:GRDB",
    ],
    "TerminalUITests": ["Basics", "CTerminalGuard", "CTestSupport", "TerminalUI", "TestSupport"],
    "TestSupportTests": ["ConfigModel", "TestSupport"],
    "TextPatternsTests": ["TestSupport", "TextPatterns"],
]

// The package of each product.
let packageOfProduct = [
    "ArgumentParser": "swift-argument-parser",
    "AsyncHTTPClient": "async-http-client",
    "Configuration": "swift-configuration",
    "ConfigurationTesting": "swift-configuration",
    "GRDB": "GRDB.swift",
    "GRDBSQLite": "GRDB.swift",
    "HashTreeCollections": "swift-collections",
    "HummingbirdCore": "hummingbird",
    "InMemoryLogging": "swift-log",
    "InMemoryTracing": "swift-distributed-tracing",
    "Logging": "swift-log",
    "Metrics": "swift-metrics",
    "MetricsTestKit": "swift-metrics",
    "NIOCore": "swift-nio",
    "NIOEmbedded": "swift-nio",
    "NIOHTTP1": "swift-nio",
    "NIOPosix": "swift-nio",
    "NIOSSL": "swift-nio-ssl",
    "ServiceLifecycle": "swift-service-lifecycle",
    "SystemPackage": "swift-system",
    "Tracing": "swift-distributed-tracing",
    "UnixSignals": "swift-service-lifecycle",
    "Yams": "Yams",
]

/// The dependency that a name in the tables means.
func dependency(_ use: String) -> Target.Dependency {
    let parts = use.split(separator: ":").map(String.init)
    let condition: TargetDependencyCondition? =
        switch parts.dropLast().first {
        case nil: nil
        case "computers": .when(platforms: [.linux, .macOS])
        case "devices": .when(platforms: [.iOS, .tvOS, .watchOS, .visionOS])
        case let trait?: .when(traits: [trait])
        }
    let name = parts[parts.count - 1]
    if let package = packageOfProduct[name] { return .product(name: name, package: package, condition: condition) }
    return condition == nil ? .byName(name: name) : .target(name: name, condition: condition)
}

/// Where the sources of a library or program are, if not in its folder in Sources.
func folder(_ name: String) -> String? {
    if name == "LiveryBenchmarks" { return "Benchmarks/Sources" }
    if name == "FleetSimulation" { return "Benchmarks/FleetSimulation" }
    return name.hasSuffix("TestSupport") || name.hasSuffix("Probe") ? "Tests/\(name)" : nil
}

for (name, uses) in libraries {
    package.targets.append(
        .target(name: name, dependencies: uses.map(dependency), path: folder(name), swiftSettings: settings)
    )
}
for (name, uses) in programs {
    package.targets.append(
        .executableTarget(name: name, dependencies: uses.map(dependency), path: folder(name), swiftSettings: settings)
    )
}
// The files that these tests read.
let fixtures = ["ConfigRulesTests": "Reference", "ConfigSchemasTests": "Suite", "LiveryScreensTests": "Goldens"]
for (name, uses) in tests {
    let exclude = fixtures[name].map { [$0] } ?? []
    package.targets.append(
        .testTarget(name: name, dependencies: uses.map(dependency), exclude: exclude, swiftSettings: settings)
    )
}

// The test targets to build, by their modules' names; all others are left out: LIVERY_TESTS="ConfigRules ConfigSchemas".
if let modules = Context.environment["LIVERY_TESTS"]?.split(separator: " ") {
    package.targets.removeAll { $0.type == .test && !modules.contains($0.name.dropLast("Tests".count)) }
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
