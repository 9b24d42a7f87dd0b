// swift-tools-version: 6.2
import PackageDescription

/// For what only the server needs: an app leaves it out with `traits: []`.
let forServer = TargetDependencyCondition.when(traits: ["Server"])

let package = Package(
    name: "livery",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "livery", targets: ["LiveryApp"]),
        .executable(name: "livery-server", targets: ["LiveryServer"]),
        .library(name: "ConfigDefinitions", targets: ["ConfigDefinitions", "ConfigModel", "Observing"]),
        .library(name: "RemoteConfig", targets: ["RemoteConfig", "ConfigModel"]),
        .library(name: "TerminalUI", targets: ["TerminalUI"]),
        .library(
            name: "ConfigServer",
            targets: [
                "ConfigServer", "ConfigModel", "ConfigStore", "EtcdStore", "MariaDBStore", "Observing", "SQLiteStore",
            ]
        ),
        .library(name: "ConfigStoreTesting", targets: ["ConfigStoreTesting", "ConfigModel", "ConfigStore"]),
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
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "ConfigModel",
            dependencies: [.product(name: "HashTreeCollections", package: "swift-collections")]
        ),
        .systemLibrary(name: "CFileSystem"),
        .target(
            name: "Files",
            dependencies: [
                "CFileSystem",
                "ConfigModel",
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .target(name: "Observing"),
        .target(name: "Essentials"),
        .target(name: "CCurl"),
        .target(name: "HTTPTransport", dependencies: ["CCurl", "ConfigModel", "Essentials"]),
        .target(
            name: "RemoteConfig",
            dependencies: [
                "ConfigModel",
                "Essentials",
                "Files",
                "HTTPTransport",
                "Observing",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .target(
            name: "ConfigDefinitions",
            dependencies: [
                "ConfigModel",
                "Files",
                "Observing",
                .product(name: "Configuration", package: "swift-configuration"),
            ]
        ),
        .systemLibrary(
            name: "CNCurses",
            pkgConfig: "ncursesw",
            // Once called libncursesw5-dev. SwiftPM skips the macros in Debian's file, and warns: the header sets its own.
            providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]
        ),
        .target(name: "CTerminalGuard"),
        .target(name: "TerminalUI", dependencies: ["CNCurses", "CTerminalGuard", "ConfigModel"]),
        .executableTarget(
            name: "LiveryApp",
            dependencies: [
                "ConfigDefinitions",
                "ConfigModel",
                "Files",
                "HTTPTransport",
                "Observing",
                "Programs",
                "RemoteConfig",
                "TerminalUI",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
            ]
        ),
        .target(
            name: "Programs",
            dependencies: ["Files", .product(name: "ArgumentParser", package: "swift-argument-parser")]
        ),
        .systemLibrary(name: "CMariaDB", pkgConfig: "libmariadb", providers: [.apt(["libmariadb-dev"])]),
        .systemLibrary(name: "CZlib"),
        .target(name: "ConfigStore", dependencies: ["ConfigModel", "Files"]),
        .target(
            name: "SQLiteStore",
            dependencies: [
                "ConfigModel",
                "ConfigStore",
                "Files",
                .product(name: "GRDB", package: "GRDB.swift", condition: forServer),
            ]
        ),
        .target(
            name: "MariaDBStore",
            dependencies: [
                .target(name: "CMariaDB", condition: .when(traits: ["MariaDB"])),
                "ConfigModel",
                "ConfigStore",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .target(
            name: "EtcdStore",
            dependencies: [
                "ConfigModel",
                "ConfigStore",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(traits: ["Etcd"])),
                .product(
                    name: "HashTreeCollections",
                    package: "swift-collections",
                    condition: .when(traits: ["Etcd"])
                ),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Etcd"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Etcd"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Etcd"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Etcd"])),
            ]
        ),
        .target(name: "ConfigStoreTesting", dependencies: ["ConfigModel", "ConfigStore"]),
        .target(
            name: "ConfigServer",
            dependencies: [
                "ConfigModel",
                "ConfigStore",
                "CZlib",
                "Files",
                "Observing",
                .product(name: "Crypto", package: "swift-crypto", condition: forServer),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: forServer),
                .product(name: "HashTreeCollections", package: "swift-collections"),
                .product(name: "Hummingbird", package: "hummingbird", condition: forServer),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: forServer),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics", condition: forServer),
                .product(name: "NIOCore", package: "swift-nio", condition: forServer),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: forServer),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras", condition: forServer),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras", condition: forServer),
                .product(name: "NIOPosix", package: "swift-nio", condition: forServer),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: forServer),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "LiveryServer",
            dependencies: [
                "ConfigModel",
                "ConfigServer",
                "ConfigStore",
                "EtcdStore",
                "Files",
                "MariaDBStore",
                "Programs",
                "SQLiteStore",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics", condition: forServer),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(
            name: "LiveryBenchmarks",
            dependencies: [
                "ConfigDefinitions",
                "ConfigModel",
                "Observing",
                "RemoteConfig",
                "TerminalUI",
                "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            path: "Benchmarks/Sources"
        ),
        .executableTarget(name: "ServerLoad", path: "Benchmarks/ServerLoad", cSettings: [.define("_GNU_SOURCE")]),
        .testTarget(name: "ArchitectureTests"),
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(name: "TestSupport", dependencies: ["ConfigModel", "CTestSupport"], path: "Tests/TestSupport"),
        .testTarget(name: "TestSupportTests", dependencies: ["ConfigModel", "TestSupport"]),
        .testTarget(name: "FilesTests", dependencies: ["ConfigModel", "Files", "TestSupport"]),
        .testTarget(
            name: "HTTPTransportTests",
            dependencies: ["ConfigModel", "HTTPTransport", "TestSupport", "TransportProbe"]
        ),
        .testTarget(name: "ObservingTests", dependencies: ["Observing"]),
        .testTarget(
            name: "ConfigModelTests",
            dependencies: ["ConfigModel", "TestSupport", .product(name: "Crypto", package: "swift-crypto")]
        ),
        .testTarget(
            name: "RemoteConfigTests",
            dependencies: [
                "CacheProbe",
                "Files",
                "HTTPTransport",
                "Observing",
                "RemoteConfig",
                "TestSupport",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ConfigurationTesting", package: "swift-configuration"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "StoreTestSupport",
            dependencies: [
                "ConfigModel",
                "ConfigStore",
                "ConfigStoreTesting",
                "EtcdStore",
                "MariaDBStore",
                "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/StoreTestSupport"
        ),
        .testTarget(
            name: "ConfigStoreTests",
            dependencies: ["ConfigModel", "ConfigStore", "ConfigStoreTesting", "TestSupport"]
        ),
        .testTarget(
            name: "SQLiteStoreTests",
            dependencies: [
                "ConfigModel",
                "ConfigStore",
                "ConfigStoreTesting",
                "Files",
                "SQLiteStore",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "MariaDBStoreTests",
            dependencies: [
                "ConfigModel", "ConfigStore", "ConfigStoreTesting", "MariaDBStore", "StoreTestSupport", "TestSupport",
            ]
        ),
        .testTarget(
            name: "EtcdStoreTests",
            dependencies: [
                "ConfigModel", "ConfigStore", "ConfigStoreTesting", "EtcdStore", "StoreTestSupport", "TestSupport",
            ]
        ),
        .testTarget(
            name: "ConfigServerTests",
            dependencies: [
                "ConfigModel",
                "ConfigServer",
                "ConfigStore",
                "ConfigStoreTesting",
                "EtcdStore",
                "Files",
                "MariaDBStore",
                "Observing",
                "SQLiteStore",
                "StoreTestSupport",
                "TestSupport",
                .product(name: "HashTreeCollections", package: "swift-collections"),
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]
        ),
        .testTarget(
            name: "ConfigDefinitionsTests",
            dependencies: [
                "ConfigDefinitions",
                "ConfigModel",
                "Files",
                "Observing",
                "TestSupport",
                .product(name: "Configuration", package: "swift-configuration"),
            ]
        ),
        .testTarget(name: "TerminalUITests", dependencies: ["CTestSupport", "TerminalUI", "TestSupport"]),
        .testTarget(
            name: "LiveryServerTests",
            dependencies: [
                "Files",
                "LiveryServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]
        ),
        .testTarget(
            name: "LiveryAppTests",
            dependencies: [
                "ConfigDefinitions",
                "Files",
                "LiveryApp",
                "Programs",
                "TestSupport",
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            exclude: ["Goldens"]
        ),
        .executableTarget(
            name: "CacheProbe",
            dependencies: ["ConfigModel", "RemoteConfig"],
            path: "Tests/CacheProbe"
        ),
        .executableTarget(name: "TerminalProbe", dependencies: ["TerminalUI"], path: "Tests/TerminalProbe"),
        .executableTarget(
            name: "TransportProbe",
            dependencies: ["ConfigModel", "HTTPTransport", "RemoteConfig", "TestSupport"],
            path: "Tests/TransportProbe"
        ),
        .testTarget(
            name: "IntegrationTests",
            dependencies: [
                "CTestSupport",
                "ConfigModel",
                "Files",
                "HTTPTransport",
                "LiveryApp",
                "LiveryServer",
                "Observing",
                "RemoteConfig",
                "TerminalProbe",
                "TerminalUI",
                "TestSupport",
            ]
        ),
    ],
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
