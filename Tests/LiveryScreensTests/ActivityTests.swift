// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import RemoteConfig
import TerminalUI
import Testing

@testable import LiveryScreens

struct ShownChangeTests {
    @Test(
        arguments: [
            (KeyChange(key: "a", old: 1, new: 2), "~ a  1 → 2"), (KeyChange(key: "a", old: nil, new: 2), "+ a  2"),
            (KeyChange(key: "a", old: 1, new: nil), "- a  1"),
            (
                KeyChange(key: "a", kind: .rule, old: nil, new: ["variants": ["x": 1], "defaultVariant": "x"]),
                "+ rule a  all users: x (default); variant x: 1"
            ),
        ]
    )
    func changeIsARow(change: KeyChange, expected: String) {
        #expect(ShownChange(change, hasColors: false).row(.unicode).map(\.text).joined() == expected)
    }
}

struct NewsTests {
    @Test func valuesThatComeAndGoAndOtherKeysAreNamed() throws {
        var model = try Demo.model("{}")
        try model.read("{\"b\": [1, 2], \"a.c\": \"x\"}")
        #expect(model.lines[21].hasPrefix(" a.c  added \"x\"  and 1 more "))
        try model.read("{\"b\": [1, 2]}")
        #expect(model.lines[21].hasPrefix(" a.c  removed, was \"x\" "))
        model = try Demo.model()
        try model.read("{\"a\": 1, \"app.min_version\": \"0.9.0\", \"app.background.color\": \"#000\"}")
        #expect(
            model.lines[21].hasPrefix(" app.background.color  ██ #FFB6C1 → ▏▕ #000  and 3 more "),
            "the colour first"
        )
    }

    @Test func newsReplaceOlderNewsAndGoInTheEnd() throws {
        var model = try Demo.model()
        #expect(model.timer == nil)
        _ = model.update(.refreshed(.unchanged))
        let first = try #require(model.timer)
        try model.read(Demo.document(text: "Woof"), at: Demo.later(seconds: 60))
        #expect(model.lines[21].hasPrefix(" app.fun_button.text  \"Meow! 😸\" → \"Woof\" "))
        #expect(!model.lines.joined().contains("no changes"))
        let second = try #require(model.timer)
        #expect(second.number != first.number && second.delay == .seconds(4))
        _ = model.update(.refreshed(.changed(keys: ["app.fun_button.text"])))
        #expect(model.timer == second, "the answer to a refresh adds nothing to the change")
        model.timerFired(isBehind: false)
        #expect(model.lines[21].allSatisfy { $0 == " " })
        #expect(model.timer == nil, "nothing is left to wait for")
    }

    /// The event of a write comes before its answer or after it.
    @Test(arguments: [true, false]) func reportOnAWriteOutlastsItsEvent(eventComesLast: Bool) throws {
        var model = try Demo.model("{\"a\": 1}")
        if !eventComesLast { try model.read("{\"a\": 2}") }
        model.show("Published a", written: [KeyChange(key: "a", old: 1, new: 2)])
        if eventComesLast { try model.read("{\"a\": 2}") }
        let activity = model.main.activity
        #expect(activity.news?.text == "Published a" && activity.changedKeys == ["a"])
        try model.read("{\"a\": 3}")
        #expect(model.main.activity.news?.text.hasPrefix("a  2 → 3") == true)
    }

    @Test func aTweakThatHidesTheChangeIsNamed() throws {
        var model = try Demo.model(size: Size(columns: 120, rows: 24))
        let document = Demo.document(text: "Woof")
        let next = try Demo.configuration(document, after: model.configuration, at: Demo.later(seconds: 60))
        var state = try Demo.state(of: next, after: model.state)
        state.values.tweaked = ["app.fun_button.text"]
        _ = model.update(.changed(state))
        #expect(model.lines[21].contains("◆ tweaked: screen unchanged"))
    }

    @Test func recentChangesAreMarkedInALaterInspector() throws {
        var model = try Demo.model()
        try model.read(Demo.document(text: "Woof"), at: Demo.later(seconds: 60))
        model.press("i")
        #expect(model.inspector?.state.activity.changedKeys == ["app.fun_button.text"])
        model.timerFired(isBehind: false)
        #expect(model.inspector?.state.activity.changedKeys == [])
        try model.read(Demo.document(color: "#87CEFA", text: "Woof"), at: Demo.later(seconds: 90))
        #expect(model.inspector?.state.activity.changedKeys == ["app.background.color"])
    }

    @Test func newsIsNotProlongedByNonChanges() throws {
        var model = try Demo.model()
        try model.read(Demo.document(text: "Woof"), at: Demo.later(seconds: 60))
        let timer = try #require(model.timer)
        model.fail(ConfigError(.unreachable, "connection refused"), phase: .offline)
        #expect(model.timer == timer)
    }

    @Test func theLastColorsAreKeptTwentyOfThem() throws {
        var model = try Demo.model(depth: .direct)
        #expect(model.lines[22].allSatisfy { $0 == " " })
        for index in 0..<30 {
            try model.read(Demo.document(color: RGBColor(UInt32(index)).description))
        }
        let painted = model.view().row(22).map(\.style.background)
        let expected = (10..<30).flatMap {
            Array(repeating: TerminalColor.direct(RGBColor(UInt32($0))), count: 2)
        }
        #expect(Array(painted[1..<41]) == expected)
        #expect(model.activity.colors.count == 20)
    }

    @Test func theLogHasChangesProblemsAndReconnects() throws {
        var model = try Demo.model()
        try model.read(Demo.document(color: "#87CEFA", text: "Woof"), at: Demo.later(seconds: 60))
        model.fail(ConfigError(.unreachable, "connection refused"), phase: .offline)
        var state = model.state
        (state.configuration.status.problem, state.configuration.status.hasFailed) = (nil, false)
        state.configuration.status.phase = .streaming
        _ = model.update(.changed(state))
        model.press("l")
        let lines = model.overlayLines
        #expect(lines.count == 4)
        #expect(lines[0].hasSuffix("  ● live"))
        #expect(lines[1].hasSuffix("  ○ offline  config.json: connection refused"))
        #expect(lines[2].hasPrefix("12:04:44  app.background.color "))
        #expect(lines[3].hasPrefix("          app.fun_button.text  "))
    }

    @Test("The log, the errors and the last row name a namespace in which nothing was ever written")
    func aNamespaceWithoutHistoryIsNamed() throws {
        var model = try Demo.model("{}", size: Size(columns: 160, rows: 24))
        #expect(!model.statusLine.contains("namespace"))
        var new = try Demo.configuration("{}", after: model.configuration)
        let cursor = RevisionCursor(epoch: try #require(Epoch("0123456789abcdef")), revision: 0)
        let state = ServerSnapshot(cursor: cursor, digest: ConfigDigest(), entries: [:])
        new.snapshot = try EntrySnapshot.empty.updated(with: state, from: "http://h/v1/shpo", at: Demo.noon).snapshot
        for _ in 0..<2 { _ = model.update(.changed(try Demo.state(of: new, after: model.state))) }
        let note = "he namespace of config.json is empty and has no history; check its name"
        #expect(model.statusLine.contains("t" + note))
        var narrow = try Demo.model("{}")
        _ = narrow.update(.changed(try Demo.state(of: new, after: narrow.state)))
        #expect(narrow.statusLine.hasSuffix("  ? Help  q Quit "), "\(narrow.statusLine)")
        model.press("l")
        #expect(model.overlayLines.count { $0.hasSuffix("  T\(note).") } == 1, "\(model.overlayLines)")
        model.press("Esc", "!")
        #expect(model.overlayLines == ["No errors.", "T\(note)."])
    }

    @Test func theLogHasRulesThatFail() throws {
        var model = try Demo.model()
        var next = model.configuration
        next.snapshot.ruleProblems = [ConfigError(.rejected, "unknown variant", key: "limit")]
        for _ in 0..<2 { _ = model.update(.changed(try Demo.state(of: next, after: model.state))) }
        let lines = model.activity.log.flatMap(\.lines).map { $0.spans.map(\.text).joined() }
        #expect(lines == ["✖ error  limit: unknown variant"])
    }

    @Test func theLogForgetsTheOldest() throws {
        var model = try Demo.model("{}")
        for index in 0..<300 { try model.read("{\"n\": \(index)}") }
        #expect(model.activity.log.count == 200)
        let many = (0..<1000).map { "\"k\($0)\": 1" }.joined(separator: ",")
        try model.read("{\(many)}")
        #expect(model.activity.log.last?.lines.count == 9, "of many keys some are named")
    }
}

struct FadeTests {
    private func frames(of model: inout DemoModel, isBehind: Bool = false) -> [TerminalColor] {
        var frames = [model.view().base.background]
        while model.activity.fade != nil {
            #expect(model.timer?.delay == Fade.interval)
            model.timerFired(isBehind: isBehind)
            frames.append(model.view().base.background)
        }
        return frames
    }

    @Test func aColorFadesIntoTheNext() throws {
        var model = try Demo.model(depth: .direct)
        try model.read(Demo.document(color: "#87CEFA"), at: Demo.later(seconds: 60))
        let frames = frames(of: &model)
        #expect(frames.count == 8 && Set(frames).count == 8)
        #expect(frames.first != .direct(RGBColor(0xFFB6C1)), "the first frame moves already")
        #expect(frames.last == .direct(RGBColor(0x87CEFA)))
        #expect(model.statusLine.contains("#87CEFA exact"))
        #expect(model.timer?.delay == .seconds(4), "then the news are waited for")
    }

    @Test func aBurstDoesNotFade() throws {
        var model = try Demo.model(depth: .direct)
        try model.read(Demo.document(color: "#87CEFA"), at: Demo.later(seconds: 60))
        #expect(model.activity.fade != nil)
        try model.read(Demo.document(color: "#000000"), at: Demo.later(seconds: 60, milliseconds: 100))
        #expect(model.view().base.background == .direct(RGBColor(0)), "a fade that is overtaken ends at once")
        try model.read(Demo.document(color: "#FFFFFF"), at: Demo.later(seconds: 60, milliseconds: 200))
        #expect(model.activity.fade == nil)
    }

    @Test func aSlowTerminalGetsTheEndAtOnce() throws {
        var model = try Demo.model(depth: .direct)
        try model.read(Demo.document(color: "#87CEFA"), at: Demo.later(seconds: 60))
        #expect(frames(of: &model, isBehind: true).count == 2)
    }

    @Test func withoutMotionOrColorsOrAtTheStartThereIsNoFade() throws {
        for depth in ColorDepth.allCases {
            var model = try Demo.model(depth: depth)
            model.main.look.hasMotion = depth != .direct
            try model.read(Demo.document(color: "#87CEFA"), at: Demo.later(seconds: 60))
            #expect(model.activity.fade == nil, "\(depth)")
        }
        var model = try Demo.model("{}", depth: .direct)
        try model.read(Demo.pink, at: Demo.later(seconds: 60))
        #expect(model.activity.fade == nil, "the first values are no change")
    }

    @Test func aTweakDoesNotFade() throws {
        var model = try Demo.model(depth: .direct)
        var state = model.state
        state.values.background = RGBColor(0x102030)
        _ = model.update(.changed(state))
        #expect(model.view().base.background == .direct(RGBColor(0x102030)), "a slider is followed at once")
    }
}
