// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The last good values of a file stay, even across a restart.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct LastGoodValueTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try folder.write(RunningDemo.pink, to: "config.json")
        #expect(try report().status == .exited(0))
    }

    private func report(_ arguments: String...) throws -> Command.Output {
        let cache = ["XDG_CACHE_HOME": folder["cache"], "XDG_CONFIG_HOME": folder["config"]]
        return try liveryCommand(["--plain"] + arguments, environment: cache, in: folder).run()
    }

    @Test(arguments: [
        ("{", "using the last good values"),
        (RunningDemo.pink.replacing("#FFB6C1", with: "pink"), "still using #FFB6C1"),
    ])
    func unusableFileShowsThemAndReportsIt(content: String, remedy: String) throws {
        try folder.overwrite(content, at: "config.json")
        for _ in 0..<2 {
            let output = try report()
            #expect(output.status == .exited(65) && output.standardOutput.contains("background:  #FFB6C1"), "\(output)")
        }
        let bare = try report("--no-cache")
        #expect(bare.status == .exited(65) && bare.standardOutput.contains("background:  #000000"), "\(bare)")
        let demo = try RunningDemo(
            config: nil,
            arguments: [folder["config.json"]],
            environment: ["XDG_CACHE_HOME": folder["cache"]],
            waitingFor: "✖ error"
        )
        try demo.waitForBackground(.indexed(217))
        try demo.type("!", until: remedy)
        #expect(try demo.quit() == .exited(0))
    }

    @Test func deletedFileShowsThem() throws {
        try folder.remove("config.json")
        let output = try report()
        #expect(output.status == .exited(66) && output.standardOutput.contains("background:  #FFB6C1"), "\(output)")
        #expect(output.standardOutput.hasPrefix("state:       missing"))
    }

    @Test func nothingIsWrittenWithoutACache() throws {
        try folder.remove("cache")
        #expect(try report("--no-cache").status == .exited(0))
        #expect(throws: (any Error).self) { try folder.contents(of: "cache") }
    }
}
