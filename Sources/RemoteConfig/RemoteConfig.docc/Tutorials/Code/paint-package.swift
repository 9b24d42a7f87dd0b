// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
    name: "paint",
    platforms: [.macOS(.v26)],
    dependencies: [.package(path: "../livery", traits: [])],
    targets: [
        .executableTarget(
            name: "Paint",
            dependencies: [.product(name: "RemoteConfig", package: "livery")]
        )
    ]
)
