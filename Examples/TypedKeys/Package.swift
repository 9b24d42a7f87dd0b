// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// An app whose definitions are written by the plugin TypedKeys, from the schemas that its server checks values against.
let package = Package(
    name: "typed-keys",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "livery", path: "../..", traits: [])],
    targets: [
        .target(
            name: "Shop",
            dependencies: [.product(name: "ConfigDefinitions", package: "livery")],
            path: "Sources",
            plugins: [.plugin(name: "TypedKeys", package: "livery")]
        ),
        .testTarget(name: "ShopTests", dependencies: ["Shop"], path: "Tests"),
    ]
)

for target in package.targets { target.swiftSettings = [.treatAllWarnings(as: .error)] }
