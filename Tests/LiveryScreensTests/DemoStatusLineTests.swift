// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI
import Testing

@testable import LiveryScreens

struct DemoStatusLineTests {
    private static let wide = Size(columns: 200, rows: 24)

    @Test func upToDateNamesTheSource() throws {
        var model = try Demo.model(size: Size(columns: 240, rows: 24))
        #expect(model.statusLine.contains("  Up to date with config.json  "))
        model.fail(ConfigError(.notFound, "there is no such file", source: "config.json"))
        #expect(!model.statusLine.contains("Up to date"))
    }

    @Test(arguments: [
        (SourceStatus.Phase.starting, "… starting"), (.streaming, "● live"), (.polling, "≈ polling"),
        (.offline, "○ offline"), (.stopped, "■ stopped"),
    ])
    func theStateIsAGlyphAndAWord(phase: SourceStatus.Phase, text: String) throws {
        var model = try Demo.model()
        model.main.state.configuration.status.phase = phase
        #expect(model.statusLine.hasPrefix(" \(text)  "))
    }

    @Test(arguments: [ConfigError.Code.unauthorized, .forbidden])
    func refusalNamesTheNextStepAndAttempt(code: ConfigError.Code) throws {
        var model = try Demo.model(size: Self.wide)
        model.fail(ConfigError(code, "h:1 refused: run `livery login`", source: "s"))
        model.main.state.configuration.status.nextAttemptAt = Timestamp(milliseconds: 3_723_000)
        #expect(model.statusLine.hasPrefix(" ✖ refused  next retry 01:02:03  s: h:1 refused: run `livery login`  "))
        model.main.state.configuration.status.phase = .polling
        model.main.state.configuration.status.hasFailed = false
        #expect(model.statusLine.hasPrefix(" ≈ polling  next retry 01:02:03  s: h:1 refused: run `livery login`  "))
    }

    @Test func previewNamesItsDraftAndItsEnd() throws {
        var model = try Demo.model()
        model.main.state.configuration.status.preview = "k3x9m2ab"
        #expect(model.statusLine.hasPrefix(" ● live  preview of draft k3x9m2ab  "))
        model.fail(ConfigError(.ended, "the preview of the draft has ended: it was closed", source: "s"))
        #expect(model.statusLine.hasPrefix(" ■ ended  preview of draft k3x9m2ab  "))
    }

    @Test func unwritableCacheIsReported() throws {
        var model = try Demo.model(size: Self.wide)
        model.main.state.configuration.status.cacheProblem = ConfigError(.unreadable, "the cache cannot be written")
        #expect(model.statusLine.hasPrefix(" ● live  the cache cannot be written  "))
    }

    @Test func timesAreOfTheFileAndTheLastChange() throws {
        var model = try Demo.model(size: Self.wide)
        model.main.state.configuration.status.modifiedAt = Timestamp(milliseconds: 0)
        model.main.state.configuration.status.lastChangeAt = nil
        #expect(model.statusLine.contains("  modified 1970-01-01 00:00:00  "))
        #expect(!model.statusLine.contains("changed"))
        model.main.state.configuration.status.modifiedAt = nil
        #expect(!model.statusLine.contains("modified"))
    }

    @Test(arguments: [
        ("#FFB6C1", ColorDepth.indexed256, "#FFB6C1 → 217, ΔE 4.6"), ("#ffb6c1", .direct, "#FFB6C1 exact"),
        ("#fff", .indexed256, "#FFFFFF → 231, ΔE 0.0"), ("000000", .monochrome, "#000000 → black, ΔE 0.0"),
        ("#FFF", .monochrome, "#FFFFFF → white, ΔE 0.0"), ("#5C5CFF", .ansi16, "#5C5CFF → bright blue, ΔE 0.0"),
    ])
    func colorIsShownAsRequestedAndDisplayed(color: String, depth: ColorDepth, text: String) throws {
        let model = try Demo.model(Demo.document(color: color), size: Self.wide, depth: depth)
        #expect(StatusLine(model.main).colorText == text)
        #expect(model.statusLine.contains("  \(text)  "))
    }

    @Test func colorTextIsASCIIWithoutUnicode() throws {
        let model = try Demo.model(size: Self.wide, repertoire: .ascii)
        #expect(StatusLine(model.main).colorText == "#FFB6C1 -> 217, dE 4.6")
    }

    @Test(
        arguments: [[], ["?"], ["i"], ["i", "/"], ["i", "Enter"]],
        [SourceStatus.Phase.starting, .streaming, .polling, .offline]
    )
    func everyGlyphOfTheScreenHasALookAlikeInASCII(keys: [String], phase: SourceStatus.Phase) throws {
        var model = try Demo.model(Demo.document(color: "pink", text: "Meow!"), size: Self.wide, repertoire: .ascii)
        for key in keys { model.press(key) }
        try model.read(Demo.document(color: "pink", text: "Woof!"))
        model.main.state.configuration.status.phase = phase
        model.main.state.configuration.status.hasFailed = phase == .polling
        let unknown = model.lines.joined().filter { $0 != "?" && model.main.look.repertoire.degraded($0).contains("?") }
        #expect(unknown == "")
    }

    @Test func hintsAndHelpFollowTheKeyMap() throws {
        let json = #"{"refresh": ["F5", "R"], "quit": "Ctrl-X", "help": "h", "open": [], "log": "t", "close": "Esc"}"#
        let document = try ConfigDocument(json: Array(json.utf8), source: "keys.json")
        let keys = try UserKeys(document, source: "keys.json", commands: DemoModel.commandNames)
        var model = try Demo.model(size: Self.wide, keys: keys)
        #expect(model.statusLine.hasSuffix(" h Help  Ctrl-X Quit  i Inspect  F5 Refresh  t Log "))
        #expect(model.press("r") == [])
        #expect(model.press("F5") == [.refresh])
        #expect(model.press("R") == [.refresh])

        model.press("h")
        let expected = ["c                Copy the URL to the clipboard", "F5, R            Refresh from the source"]
        #expect(Array(model.overlayLines.prefix(2)) == expected)
    }

    @Test(arguments: [
        ConfigError(.syntax, "expected a value, found '}'", source: "/srv/configurations/production/config.json"),
        ConfigError(.unreachable, String(repeating: "nothing answers ", count: 20), source: "default"),
    ])
    func anErrorLeavesRoomForTheKeys(error: ConfigError) throws {
        var model = try Demo.model()
        model.fail(error, phase: .offline)
        model.main.state.configuration.status.nextAttemptAt = Demo.noon
        #expect(model.statusLine.hasSuffix("  ! Errors  ? Help  q Quit "))
        model.main.state.configuration.status.problem = nil
        model.main.state.configuration.status.cacheProblem = error
        #expect(model.statusLine.hasSuffix("  ? Help  q Quit "))
    }

    @Test(arguments: [false, true])
    func theKeysComeInOneOrderAtEveryWidth(isFailing: Bool) throws {
        let order = ["! Errors", "? Help", "q Quit", "i Inspect", "t Tweaks", "Enter Open", "r Refresh", "l Log"]
        // Help stays longest, and the others in their order.
        let kept = ["? Help", "! Errors"] + order.dropFirst(2)
        var model = try Demo.model()
        if isFailing { model.fail(ConfigError(.syntax, "expected a value, found '}'")) }
        for columns in 20...240 {
            model.resize(columns, 24)
            let line = model.statusLine
            let shown = order.filter { line.contains($0) }
            #expect(line.hasSuffix((shown.joined(separator: "  ") + " ")), "\(columns): \(line)")
            let expected = kept.filter { isFailing || $0 != "! Errors" }.prefix(shown.count)
            #expect(Set(shown) == Set(expected), "\(columns): \(line)")
        }
    }

    @Test(arguments: [SourceStatus.Phase.starting, .streaming, .polling, .offline, .stopped], [0, 1, 2, 3])
    func smallScreenShowsTheStateAndHelp(phase: SourceStatus.Phase, notice: Int) throws {
        var model = try Demo.model()
        let error = ConfigError(.unreachable, String(repeating: "nothing answers ", count: 20), source: "default")
        switch notice {
        case 0: break
        case 1: model.main.activity.show(String(repeating: "F12 is not bound here; ", count: 5))
        case 2: model.fail(error, phase: phase)
        default: model.main.state.configuration.status.cacheProblem = error
        }
        model.main.state.configuration.status.phase = phase
        model.main.state.configuration.status.nextAttemptAt = Demo.noon
        model.resize(30, 8)
        let line = model.statusLine
        #expect(line.hasPrefix(" \(model.main.state.title)  ") && line.contains("  ? Help "), "\(line)")
    }
}
