import Foundation
import TestSupport
import Testing

/// The screen of tweaks in the real program on a real terminal.
@Suite(.timeLimit(.minutes(3)))
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
        Case("color", [String(repeating: "\u{1B}[<65;40;6M", count: 6), "━━━●"], ""),
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

    @Test func rowsOpenByTheMouseAndActionsRun() throws {
        let demo = try RunningDemo()
        try demo.terminal.write("t")
        try demo.click("Demo ")
        try demo.click("Paint it like the sky")
        try demo.waitForOverride("app.background.color", ##""#87CEFA""##)
        try demo.click("u Undo")
        try demo.waitForBackground(.indexed(217))
        try demo.terminal.write("\u{1B}[<65;60;10M")
        try demo.click("Esc Back")
        try demo.waitFor("All tweaks")
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
        try demo.terminal.readUntil("the editor", deadline: .seconds(60)) { $0.contains("r Reset  ") }
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

    /// Leaves from wherever it is.
    fileprivate func leave() throws -> TestSupport.ExitStatus {
        try terminal.write("\u{3}")
        let status = try terminal.waitForExit()
        return status == .signaled(SIGINT) ? .exited(0) : status
    }
}
