// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The screen of tweaks in the real program on a real terminal.
@Suite(.timeLimit(.minutes(5)))
struct TweakTerminalTests {
    /// An editor, how it is used, and the override that comes of it.
    struct Case: Sendable, CustomTestStringConvertible {
        let tweak: String
        /// What is typed, or clicked on.
        let input: [String]
        let expected: String

        init(_ tweak: String, _ input: [String], _ expected: String) {
            self.tweak = tweak
            self.input = input
            self.expected = expected
        }

        var testDescription: String { "\(tweak) \(input)" }
    }

    static let sizes = [[80, 24], [40, 12]]

    static let byKeys = [
        Case("toggle", [" "], "true"),
        Case("segmented", ["\u{1B}[C"], "true"),
        Case("stepper", ["\u{1B}[A\u{1B}[A\u{1B}[B"], "4"),
        Case("slider", ["\u{1B}[F"], "1.0"),
        Case("text", ["\u{15}", "\u{1B}[200~né 👩‍👩‍👧 x\u{1B}[201~", "\u{1B}[D\u{7F}"], #""né 👩‍👩‍👧x""#),
        Case("color", ["\t\t\u{1B}[C"], ##""#88CEFA""##),
        Case("mood", ["\u{1B}[B\r"], #""curious""#),
        Case("speed", ["j ", "j\u{15}42"], "42"),
        Case("nickname", [" ", "\u{1B}[BTom"], #""Tom""#),
        Case("tags", ["a", "x, y", "\r", "J"], #"["red, green","blue","x, y"]"#),
        Case("rating", ["l"], "4"),
    ]

    @Test(arguments: byKeys, sizes)
    func everyEditorIsUsedByKeys(row: Case, size: [Int]) throws {
        let demo = try open(row.tweak, size)
        for keys in row.input { try demo.terminal.write(keys) }
        try demo.waitForOverride("showcase.\(row.tweak)", row.expected)
    }

    static let byMouse = [
        Case("toggle", ["[ ] off"], "true"),
        Case("segmented", ["[ Dogs ]"], "true"),
        Case("stepper", ["[+]"], "4"),
        Case("slider", ["━━━━━"], ""),
        Case("text", ["世", "\u{1B}[3~"], #""Grüße, 界 👩‍👩‍👧""#),
        // On a small screen the sliders have to be scrolled to.
        Case("color", [String(repeating: "\u{1B}[<65;40;6M", count: 6), "Green           "], ""),
        Case("mood", ["( ) curious"], #""curious""#),
        Case("speed", ["( ) Fast"], "100"),
        Case("nickname", ["[ ] none"], #""""#),
        Case("tags", ["[v]"], #"["blue","red, green"]"#),
        Case("rating", ["☆"], "4"),
    ]

    @Test(arguments: byMouse, sizes)
    func everyEditorIsUsedByTheMouse(row: Case, size: [Int]) throws {
        let demo = try open(row.tweak, size)
        for text in row.input {
            if text.hasPrefix("\u{1B}") { try demo.terminal.write(text) } else { try demo.click(text) }
        }
        try demo.waitForOverride("showcase.\(row.tweak)", row.expected)
    }

    @Test(arguments: sizes)
    func anEditRecoloursTheMainScreenAndStays(size: [Int]) throws {
        let demo = try open("app.background", size)
        try demo.terminal.write("\u{15}#0000FF")
        try demo.waitForBackground(.indexed(21))
        #expect(try demo.leave() == .exited(0))

        let again = try RunningDemo(environment: ["XDG_CONFIG_HOME": demo.folder.path])
        try again.waitForBackground(.indexed(21))
        // Undo is of this run; a reset takes back what an earlier one has done.
        try again.terminal.write("tX")
        try again.waitFor("Reset every tweak?")
        try again.terminal.write("y")
        try again.waitForBackground(.indexed(217))
        try again.terminal.write("u")
        try again.waitForBackground(.indexed(21))
    }

    @Test(arguments: sizes)
    func actionsRunAndResetsAreAskedForByKeys(size: [Int]) throws {
        let demo = try RunningDemo(columns: size[0], rows: size[1])
        try demo.terminal.write("t/sky\r\r")
        try demo.waitForBackground(.indexed(117))
        try demo.terminal.write("Z")
        try demo.waitFor("Reset all of Demo?")
        try demo.terminal.write("n")
        try demo.waitUntilGone("Reset all of Demo?")
        try demo.waitForOverride("app.background.color", ##""#87CEFA""##)
        for (keys, color) in [("Zy", 217), ("u", 117)] {
            try demo.terminal.write(keys)
            try demo.waitForBackground(.indexed(color))
        }
        try demo.terminal.write("\u{1B}")
        try demo.waitFor("All tweaks")
        try demo.terminal.write("X")
        try demo.waitFor("Reset every tweak?")
        try demo.terminal.write("y")
        try demo.waitForBackground(.indexed(217))
        #expect(try demo.leave() == .exited(0))
    }

    @Test(arguments: sizes)
    func rowsOpenActionsRunAndResetsAreAskedForByTheMouse(size: [Int]) throws {
        let demo = try RunningDemo(columns: size[0], rows: size[1])
        try demo.terminal.write("t")
        try demo.click(size[0] < 60 ? "/ Find" : "/ Search")
        try demo.terminal.write("sky\r")
        try demo.click("Paint it like the sky")
        try demo.waitForBackground(.indexed(117))
        try demo.click("Z Reset")
        try demo.click("n No")
        try demo.waitUntilGone("Reset all of Demo?")
        try demo.waitForOverride("app.background.color", ##""#87CEFA""##)
        try demo.click("Z Reset")
        try demo.click("y Yes")
        try demo.waitForBackground(.indexed(217))
        try demo.click("u Undo")
        try demo.waitForBackground(.indexed(117))
        try demo.click("Esc Back")
        try demo.waitFor("All tweaks")
        try demo.click("X Reset")
        try demo.click("y Yes")
        try demo.waitForBackground(.indexed(217))
        try demo.click("Showcase")
        try demo.click("Toggle")
        try demo.click("[ ] off")
        try demo.waitForOverride("showcase.toggle", "true")
        try demo.click("z Reset")
        try demo.waitFor("[ ] off")
    }

    /// Field, grid, red, green, blue, hue, saturation, lightness, and the field again; Shift-Tab is the way back.
    @Test(arguments: sizes)
    func tabLeadsThroughTheColourPicker(size: [Int]) throws {
        let demo = try open("color", size)
        let parts = [(2, "#88CEFA"), (3, "#88CFFA"), (4, "#88CFFB"), (5, ""), (6, ""), (7, "")]
        var last = "#87CEFA"
        for (tabs, expected) in parts {
            try demo.terminal.write((tabs == 2 ? "\t\t" : "\t") + (tabs < 5 ? "\u{1B}[C" : "H"))
            try demo.waitUntil("part \(tabs) changes the colour") { $0 != last && (expected.isEmpty || $0 == expected) }
            last = try demo.override("showcase.color") ?? ""
        }
        try demo.terminal.write("\t\u{15}#000000")
        try demo.waitUntil("the field again") { $0 == "#000000" }
        try demo.terminal.write("\u{1B}[Z\u{1B}[F")
        try demo.waitUntil("the lightness before it") { $0 == "#FFFFFF" }
    }

    /// Keys of one read are one batch, and each meets the state that the one before has led to.
    @Test func keysThatArriveTogetherActOneAfterAnother() throws {
        let demo = try RunningDemo()
        try demo.terminal.write("t/showcase.toggle\r")
        try demo.waitFor("Toggle")
        try demo.terminal.write("   ")
        try demo.waitForOverride("showcase.toggle", "true")
        try demo.terminal.write("  \r")
        try demo.waitFor("[x] on")
        #expect(try demo.leave() == .exited(0))
        try demo.waitForOverride("showcase.toggle", "true")
        let other = try open("text", [80, 24])
        try other.terminal.write("\u{15}one")
        try other.waitForOverride("showcase.text", #""one""#)
        try other.terminal.write("\u{1B}u\u{1B}ux")
        try other.waitForOverride("showcase.text", #""Grüße, 世界 👩‍👩‍👧x""#)
    }

    @Test func twoProgramsKeepEachOthersOverrides() throws {
        let first = try open("toggle", [80, 24])
        let second = try open("segmented", [80, 24], environment: ["XDG_CONFIG_HOME": first.folder.path])
        try first.terminal.write(" ")
        try first.waitForOverride("showcase.toggle", "true")
        try second.terminal.write(" ")
        try first.waitForOverride("showcase.segmented", "true")
        try first.waitForOverride("showcase.toggle", "true")
    }

    @Test func whatAnotherProgramOrAPersonWritesShowsAtOnce() throws {
        let first = try RunningDemo()
        let second = try RunningDemo(environment: ["XDG_CONFIG_HOME": first.folder.path])
        try second.terminal.write("t/sky\r\r")
        try first.waitForBackground(.indexed(117))
        // In place, as an editor or `echo >` does, with an empty file in between.
        let path = first.folder.path(to: "livery/tweaks.json")
        try Data(##"{"default/app.background.color": "#0000FF"}"##.utf8).write(to: URL(filePath: path))
        try first.waitForBackground(.indexed(21))
        try second.waitForBackground(.indexed(21))
        try first.terminal.write("t")
        try first.waitFor("1 of 5 changed")
        try Data("{oops".utf8).write(to: URL(filePath: path))
        try first.waitFor("tweaks.json")
        #expect(first.background == .indexed(21))
        try FileManager.default.removeItem(atPath: path)
        try first.waitForBackground(.indexed(217))
        try second.waitForBackground(.indexed(217))
        try first.waitUntilGone("tweaks.json")
    }

    @Test(arguments: [[20, 5], [1, 1]])
    func tinyTerminalsDoNoHarm(size: [Int]) throws {
        let demo = try RunningDemo(columns: size[0], rows: size[1], waitingFor: "")
        try demo.terminal.write("tj\rjjj\r")
        try demo.terminal.write("\u{1B}[H")
        try demo.waitForOverride("showcase.slider", "0.0")
        #expect(try demo.leave() == .exited(0))
    }

    private func open(
        _ tweak: String,
        _ size: [Int],
        environment: [String: String] = [:]
    ) throws -> RunningDemo {
        let demo = try RunningDemo(columns: size[0], rows: size[1], environment: environment, waitingFor: "live")
        try demo.terminal.write("t/")
        try demo.terminal.write(tweak.contains(".") ? tweak : "showcase.\(tweak)")
        try demo.terminal.write("\r\r")
        // Only the detail view resets one tweak.
        try demo.terminal.readUntil("the editor", deadline: .seconds(60)) { $0.contains("z Reset  ") }
        return demo
    }
}

extension RunningDemo {
    /// Clicks on the middle of a text, once that is on the screen.
    fileprivate func click(_ text: String) throws {
        var place: VirtualScreen.Position?
        try terminal.readUntil("\"\(text)\" to click on", deadline: .seconds(60)) { screen in
            place = screen.find(text)
            return place != nil
        }
        guard let place else { return }
        let column = place.column + text.count / 2
        try terminal.write("\u{1B}[<0;\(column + 1);\(place.row + 1)M\u{1B}[<0;\(column + 1);\(place.row + 1)m")
    }

    fileprivate func waitForBackground(_ color: VirtualScreen.Color) throws {
        try terminal.readUntil("the background \(color)", deadline: .seconds(60)) {
            $0.cell(row: 0, column: 0).visibleBackground == color
        }
    }

    /// Waits until an override is in the file; an empty one is any.
    fileprivate func waitForOverride(_ id: String, _ json: String) throws {
        let line = "\"default/\(id)\": \(json)"
        try eventually("\(line) in the file", deadline: .seconds(60), lastState: terminal.screen.text) {
            _ = try terminal.read(for: .milliseconds(10))
            let bytes = try? folder.read("livery/tweaks.json")
            return String(decoding: bytes ?? [], as: UTF8.self).contains(line)
        }
    }

    fileprivate func waitUntilGone(_ text: String) throws {
        try terminal.readUntil("no \"\(text)\" on the screen", deadline: .seconds(60)) { !$0.contains(text) }
    }

    /// The override of a tweak, a text, as it is in the file.
    fileprivate func override(_ id: String) throws -> String? {
        let bytes = (try? folder.read("livery/tweaks.json")) ?? Array("{}".utf8)
        return try? JSONDecoder().decode([String: String].self, from: Data(bytes))["default/\(id)"]
    }

    /// Waits for an override of the colour of the showcase.
    fileprivate func waitUntil(_ what: String, _ isMet: (String) -> Bool) throws {
        try eventually(what, deadline: .seconds(60), lastState: terminal.screen.text) {
            _ = try terminal.read(for: .milliseconds(10))
            return try override("showcase.color").map(isMet) ?? false
        }
    }

    /// Leaves from wherever it is.
    fileprivate func leave() throws -> TestSupport.ExitStatus {
        try terminal.write("\u{3}")
        let status = try terminal.waitForExit()
        return status == .signaled(SIGINT) ? .exited(0) : status
    }
}
