// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let remoteConfig: Target.Dependency = .product(name: "RemoteConfig", package: "livery")
let testing: Target.Dependency = .product(name: "RemoteConfigTesting", package: "livery")

// Apps and parts of them as others write them: Livery's client without its server, with public API alone.
let package = Package(
    name: "examples",
    platforms: [.macOS(.v26)],
    dependencies: [.package(name: "livery", path: "..", traits: [])],
    targets: [
        // A complete app.
        .executableTarget(name: "Menu", dependencies: [remoteConfig], path: "Menu/Sources"),
        .testTarget(name: "MenuTests", dependencies: ["Menu", testing], path: "Menu/Tests"),
        // A tool that draws what a file on the machine, a server and the built-in defaults give, layer by layer.
        .executableTarget(name: "Departures", dependencies: [remoteConfig], path: "Departures/Sources"),
        .testTarget(name: "DeparturesTests", dependencies: ["Departures", testing], path: "Departures/Tests"),
        // A source of an app's own.
        .target(name: "CommandSource", dependencies: [remoteConfig], path: "CommandSource/Sources"),
        .testTarget(name: "CommandSourceTests", dependencies: ["CommandSource", testing], path: "CommandSource/Tests"),
        // A screen of an app.
        .target(
            name: "ValueScreen",
            dependencies: [remoteConfig, .product(name: "TerminalUI", package: "livery")],
            path: "ValueScreen/Sources"
        ),
        .testTarget(name: "ValueScreenTests", dependencies: ["ValueScreen"], path: "ValueScreen/Tests"),
    ]
)

for target in package.targets { target.swiftSettings = [.treatAllWarnings(as: .error)] }
