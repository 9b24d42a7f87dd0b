// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Settings are optional: a file that cannot be used is reported once, and the program works without it.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct UnusableSettingsTests {
    /// In place of each file, or of the folder. The superuser may read everything, so permissions show nothing.
    enum Obstacle: String, CaseIterable {
        case folders, loops, damagedFiles, fileForFolder, loopForFolder

        func put(in folder: TemporaryDirectory) throws {
            switch self {
            case .fileForFolder: try folder.write("", to: "config")
            case .loopForFolder: try folder.link("config", to: folder["config"])
            default:
                try folder.makeFolder("config/livery")
                for name in ["keys", "tweaks", "sources", "credentials"].map({ "config/livery/\($0).json" }) {
                    switch self {
                    case .folders: try folder.makeFolder(name)
                    case .loops: try folder.link(name, to: folder[name])
                    default: try folder.writeSecret("{", to: name)
                    }
                }
            }
        }

        /// No file is missed in place of a folder that is none.
        var isReported: Bool { self != .fileForFolder }
    }

    @Test(arguments: Obstacle.allCases) func programsWorkWithoutThem(obstacle: Obstacle) throws {
        let desk = try OperatorDesk()
        #expect(try desk.run("set", "k", "this").status == .exited(0))
        try obstacle.put(in: desk.folder)
        try desk.folder.write(RunningDemo.pink, to: "config.json")
        for arguments in [["--plain"], ["--json"]] {
            let output = try desk.run(arguments)
            #expect(output.status == .exited(0) && output.standardError.isEmpty, "\(output)")
            #expect(output.standardOutput.contains("tweaks.json") == obstacle.isReported, "\(output)")
        }
        for arguments in [["get", "k"], ["namespaces"], ["--plain", desk.address]] {
            let output = try desk.run(arguments)
            #expect(output.status == .exited(0), "\(output)")
            let warnings = output.standardError.split(separator: "\n")
            #expect(warnings.count == (obstacle.isReported ? 1 : 0), "\(output)")
            let isExplained = warnings.allSatisfy {
                $0.contains("credentials.json") && $0.hasSuffix("; continuing without a token")
            }
            #expect(isExplained, "\(output)")
        }
        let demo = try RunningDemo(environment: ["XDG_CONFIG_HOME": desk.folder["config"]])
        #expect(try demo.quit() == .exited(0))
        let shown = String(decoding: demo.terminal.bytesReceived, as: UTF8.self)
        #expect(shown.components(separatedBy: "using the default keys").count == (obstacle.isReported ? 2 : 1))
    }

    /// Without a token where one is needed, the refusal is the error.
    @Test func refusalFollowsTheWarning() throws {
        let folder = try TemporaryDirectory()
        try Obstacle.folders.put(in: folder)
        let server = try ScriptedServer { connection, _ in try connection.respond("401 Unauthorized", [:], "") }
        let address = server.url("").absoluteString
        let environment = ["XDG_CONFIG_HOME": folder["config"]]
        let output = try liveryCommand(["get", "k", "--server", address], environment: environment, in: folder).run()
        #expect(output.status == .exited(77), "\(output)")
        #expect(output.standardError.split(separator: "\n").count == 2, "\(output)")
        #expect(server.requests.allSatisfy { $0["authorization"] == nil })
    }

    @Test func changesOfThemFail() throws {
        let folder = try TemporaryDirectory()
        try Obstacle.folders.put(in: folder)
        let arguments = ["logout", "--server", "http://127.0.0.1:1"]
        let environment = ["XDG_CONFIG_HOME": folder["config"]]
        let output = try liveryCommand(arguments, environment: environment, in: folder).run()
        #expect(output.status == .exited(66), "\(output)")
    }
}
