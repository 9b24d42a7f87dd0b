// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The screen of tweaks in the real program on a real terminal.
@Suite(.timeLimit(.minutes(5)))
struct TweakTerminalTests {
    static let sizes = [[80, 24], [40, 12]]

    @Test(arguments: sizes)
    func anEditRecoloursTheMainScreenAndStays(size: [Int]) throws {
        let demo = try open("app.background", size)
        try demo.terminal.write("\u{15}#0000FF")
        try demo.waitForBackground(.indexed(21))
        #expect(try demo.leave() == .exited(0))

        let again = try RunningDemo(environment: ["XDG_CONFIG_HOME": demo.folder.path])
        try again.waitForBackground(.indexed(21))
        // Undo is of this run; a reset takes back what an earlier one has done.
        try again.type("tX", until: "Reset all tweaks?")
        try again.terminal.write("y")
        try again.waitForBackground(.indexed(217))
        try again.terminal.write("u")
        try again.waitForBackground(.indexed(21))
    }

    /// Keys of one read are one batch, and each meets the state that the one before has led to.
    @Test func keysThatArriveTogetherActOneAfterAnother() throws {
        let demo = try RunningDemo()
        try demo.type("t/showcase.toggle\r", until: "Toggle")
        try demo.terminal.write("   ")
        try demo.waitForOverride("showcase.toggle", "true")
        try demo.type("  \r", until: "[x] on")
        #expect(try demo.leave() == .exited(0))
        try demo.waitForOverride("showcase.toggle", "true")
        let other = try open("text", [80, 24])
        try other.terminal.write("\u{15}one")
        try other.waitForOverride("showcase.text", #""one""#)
        try other.terminal.write("\u{1B}u\u{1B}ux")
        try other.waitForOverride("showcase.text", #""Grüße, 世界 👩‍👩‍👧x""#)
    }

    private func open(_ tweak: String, _ size: [Int], environment: [String: String] = [:]) throws -> RunningDemo {
        let demo = try RunningDemo(columns: size[0], rows: size[1], environment: environment, waitingFor: "live")
        try demo.terminal.write("t/")
        try demo.terminal.write(tweak.contains(".") ? tweak : "showcase.\(tweak)")
        try demo.terminal.write("\r\r")
        // Only the detail view resets one tweak.
        try demo.terminal.readUntil("the editor") { $0.contains("z Reset  ") }
        return demo
    }
}

extension RunningDemo {
    /// Waits until an override is in the file; an empty one is any.
    fileprivate func waitForOverride(_ id: String, _ json: String) throws {
        let line = "\"default/\(id)\": \(json)"
        try until("\(line) in the file", lastState: terminal.screen.text) {
            _ = try terminal.read(for: .milliseconds(10))
            let bytes = try? folder.read("livery/tweaks.json")
            return String(decoding: bytes ?? [], as: UTF8.self).contains(line)
        }
    }

    /// Leaves from wherever it is.
    fileprivate func leave() throws -> TestSupport.ExitStatus {
        try terminal.write("\u{3}")
        let status = try terminal.waitForExit()
        return status == .signaled(SIGINT) ? .exited(0) : status
    }
}
