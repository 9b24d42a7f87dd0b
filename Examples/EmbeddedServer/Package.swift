// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A Hummingbird app that runs a Livery server on the store in this package.
let package = Package(
    name: "embedded-server",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "livery", path: "../.."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "EmbeddedServer",
            dependencies: [
                .product(name: "ConfigServer", package: "livery"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "EmbeddedServerTests",
            dependencies: [
                "EmbeddedServer",
                .product(name: "ConfigStoreTesting", package: "livery"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
            ]
        ),
    ]
)
