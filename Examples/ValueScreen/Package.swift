// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A screen of an app, with public API alone.
let package = Package(
    name: "value-screen",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "livery", path: "../..", traits: [])],
    targets: [
        .target(
            name: "ValueScreen",
            dependencies: [
                .product(name: "RemoteConfig", package: "livery"), .product(name: "TerminalUI", package: "livery"),
            ]
        ),
        .testTarget(name: "ValueScreenTests", dependencies: ["ValueScreen"]),
    ]
)
