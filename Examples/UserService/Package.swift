// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A Hummingbird app that follows a configuration and answers each request by the values of its user.
let settings: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let package = Package(
    name: "user-service",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "livery", path: "../..", traits: ["ServiceLifecycle"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "UserService",
            dependencies: [
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "RemoteConfig", package: "livery"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "UserServiceTests",
            dependencies: [
                "UserService",
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "RemoteConfigTesting", package: "livery"),
            ],
            swiftSettings: settings
        ),
    ]
)
