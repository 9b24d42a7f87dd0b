// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A source of an app's own, with public API alone.
let package = Package(
    name: "command-source",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "livery", path: "../..", traits: [])],
    targets: [
        .target(name: "CommandSource", dependencies: [.product(name: "RemoteConfig", package: "livery")]),
        .testTarget(
            name: "CommandSourceTests",
            dependencies: ["CommandSource", .product(name: "RemoteConfigTesting", package: "livery")]
        ),
    ]
)
