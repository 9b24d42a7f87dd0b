// SPDX-License-Identifier: Apache-2.0

import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Files

/// An idle program costs no battery.
@Suite(.timeLimit(.minutes(5)))
struct IdleTests {
    /// Shared pools of threads, clocks that tick and polling would each wake it up at least once in this while.
    private static let stillness = Duration.seconds(3)

    /// In a container on an overlay, files are polled.
    private static let isQuiet = !SilentFileSystem.contains(path: FilePath(FileManager.default.temporaryDirectory.path))

    @Test(
        .enabled(if: isQuiet, "the folder for temporary files is where Linux does not tell of changes"),
        arguments: [([], []), ([], ["t"]), (["wall", "9"], [])] as [([String], [String])]
    )
    func idleProgramIsNeverWoken(arguments: [String], keys: [String]) throws {
        // While there are no settings yet, the folder around theirs is watched too: one that no other test uses.
        let settings = try TemporaryDirectory(prefix: "idle")
        let home = settings["home"]
        try settings.makeFolder("home")
        let demo = try RunningDemo(arguments: arguments, environment: ["XDG_CONFIG_HOME": home])
        for key in keys { try demo.terminal.write(key) }
        try awaitStillness(of: demo)
        #expect(try demo.quit().isSuccess)
    }

    private func awaitStillness(of demo: RunningDemo) throws {
        var wakeups: [Int] = []
        // Leftovers of the start, such as idle threads, end after some seconds.
        try until("\(Self.stillness) without a wakeup", deadline: .seconds(90), lastState: "wakeups: \(wakeups)") {
            let before = try demo.terminal.usage().voluntaryContextSwitches
            _ = try demo.terminal.read(for: Self.stillness)
            wakeups.append(try demo.terminal.usage().voluntaryContextSwitches - before)
            return wakeups.last == 0
        }
    }
}
