// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdTesting: Target.Dependency = .product(name: "HummingbirdTesting", package: "hummingbird")

// Hummingbird apps.
let package = Package(
    name: "hummingbird-apps",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(name: "livery", path: "../.."),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // Follows a configuration, and answers each request by the values of its user. By itself it would need Livery with
        // `traits: ["ServiceLifecycle"]`.
        .executableTarget(
            name: "UserService",
            dependencies: [
                hummingbird, .product(name: "Logging", package: "swift-log"),
                .product(name: "RemoteConfig", package: "livery"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "UserService/Sources"
        ),
        .testTarget(
            name: "UserServiceTests",
            dependencies: [
                "UserService", hummingbirdTesting, .product(name: "RemoteConfigTesting", package: "livery"),
            ],
            path: "UserService/Tests"
        ),
        // Runs a Livery server, on the store in this package.
        .executableTarget(
            name: "EmbeddedServer",
            dependencies: [
                hummingbird, .product(name: "ConfigServer", package: "livery"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "EmbeddedServer/Sources"
        ),
        .testTarget(
            name: "EmbeddedServerTests",
            dependencies: [
                "EmbeddedServer", hummingbirdTesting, .product(name: "ConfigStoreTesting", package: "livery"),
            ],
            path: "EmbeddedServer/Tests"
        ),
    ]
)

for target in package.targets { target.swiftSettings = [.treatAllWarnings(as: .error)] }
