import Foundation
import TestSupport
import Testing

@testable import RemoteConfig

/// A program that nobody uses costs no battery.
@Suite(.timeLimit(.minutes(3)))
struct IdleTests {
    /// Shared pools of threads, clocks that tick and polling would each wake it up at least once in this while.
    private static let stillness = Duration.seconds(3)

    /// In a container on an overlay, files have to be asked after.
    private static let isQuiet = !SilentFileSystem.contains(path: FileManager.default.temporaryDirectory.path)

    @Test(
        .enabled(if: isQuiet, "the folder for temporary files is where Linux does not tell of changes"),
        arguments: [[], ["t"]]
    )
    func aProgramThatNobodyUsesIsNeverWokenUp(keys: [String]) throws {
        let demo = try RunningDemo()
        for key in keys { try demo.terminal.write(key) }
        var wakeups: [Int] = []
        // What the start leaves behind, such as threads that wait for more work, is over after some seconds.
        try eventually("\(Self.stillness) without a wakeup", deadline: .seconds(90), lastState: "wakeups: \(wakeups)") {
            let before = try demo.terminal.usage().voluntaryContextSwitches
            _ = try demo.terminal.read(for: Self.stillness)
            wakeups.append(try demo.terminal.usage().voluntaryContextSwitches - before)
            return wakeups.last == 0
        }
        #expect(try demo.quit().isSuccess)
    }
}
