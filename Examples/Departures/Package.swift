// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A tool that draws what a file on the machine, a server and the built-in defaults give, layer by layer.
let settings: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let package = Package(
    name: "departures",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "livery", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "Departures",
            dependencies: [.product(name: "RemoteConfig", package: "livery")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DeparturesTests",
            dependencies: ["Departures", .product(name: "RemoteConfigTesting", package: "livery")],
            swiftSettings: settings
        ),
    ]
)
