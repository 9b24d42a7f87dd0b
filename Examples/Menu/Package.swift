// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// An app as others write it: Livery's client without its server, and the doubles for the tests.
let package = Package(
    name: "menu",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "livery", path: "../..", traits: [])],
    targets: [
        .executableTarget(name: "Menu", dependencies: [.product(name: "RemoteConfig", package: "livery")]),
        .testTarget(
            name: "MenuTests",
            dependencies: ["Menu", .product(name: "RemoteConfigTesting", package: "livery")]
        ),
    ]
)
