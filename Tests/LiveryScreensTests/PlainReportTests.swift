// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Foundation
import Programs
import RemoteConfig
import TestSupport
import Testing

@testable import LiveryScreens

struct PlainReportTests {
    @Test func textMatchesTheScreen() throws {
        let report = PlainReport(try Demo.configuration(Demo.pink))
        let expected = """
            state:       live
            source:      config.json
            background:  #FFB6C1
            button:      Meow! 😸
            url:         https://example.org/cats
            version:     Up to date: this is \(SemanticVersion.livery), minimum: 0.9.0
            modified:    2026-11-20 12:03:44
            key:         app.background.color = "#FFB6C1"
            origin:      config.json:2:29
            key:         app.fun_button.text = "Meow! 😸"
            origin:      config.json:3:28
            key:         app.fun_button.url = "https://example.org/cats"
            origin:      config.json:4:27
            key:         app.min_version = "0.9.0"
            origin:      config.json:5:24

            """
        #expect(report.text(clock: .utc) == expected)
    }

    @Test func withoutAConfigurationTheDefaultsAreShown() throws {
        var current = ConfigState(source: "gone.json").current
        current.status.phase = .offline
        current.status.problem = ConfigError(.notFound, "the file does not exist", source: "gone.json")
        let expected = """
            state:       missing
            source:      gone.json
            background:  #000000
            button:      Dogs are awesome!
            url:         https://www.google.com/search?query=dogs%20are%20awesome
            version:     Up to date: this is \(SemanticVersion.livery), minimum: 0.0.0
            problem:     gone.json: the file does not exist

            """
        #expect(PlainReport(current).text(clock: .utc) == expected)
    }

    @Test func overridingTweakIsNamed() throws {
        let tweaks = TweakRepository(store: MemoryStore(["default/app.background.color": .string("#000000")]))
        let report = PlainReport(try Demo.configuration(Demo.pink), tweaks: tweaks)
        let text = report.text(clock: .utc)
        #expect(text.contains("background:  #FFB6C1\n"), "the value of the source")
        #expect(text.contains("tweak:       app.background.color = \"#000000\", on this machine only\n"))
        let facts = try JSONSerialization.jsonObject(with: Data(report.json().utf8)) as? [String: Any]
        #expect(facts?["tweaks"] as? [String] == ["app.background.color"])
    }

    @Test func rulesAreListedWithTheirKeys() throws {
        let rule = #"{"variants": {"few": 1, "many": 9}, "defaultVariant": "few"}"#
        let document = #"{"livery": 1, "entries": {"a": 1, "b": 2}, "rules": {"b": \#(rule), "c": \#(rule)}}"#
        let lines = PlainReport(try Demo.configuration(document)).text(clock: .utc).split(separator: "\n")
        let shown = lines.filter { $0.hasPrefix("key:") || $0.hasPrefix("rule:") }
        let expected = [
            "key:         a = 1", "key:         b = 2", "rule:        not evaluated: no user; pass --context",
            "key:         c has a rule, and no default value", "rule:        not evaluated: no user; pass --context",
        ]
        #expect(shown.map(String.init) == expected)
    }

    @Test("A follower reports invalid values, a missing source and the source that failed") @MainActor
    func followReportsErrors() throws {
        let good = try Demo.configuration(Demo.pink)
        let invalid = try Demo.configuration(#"{"app": {"background": {"color": "pinkish"}}}"#)
        let lines = Announcer.status(from: good, to: invalid)
        #expect(lines.count == 1 && lines[0].hasPrefix("problem: "), "\(lines)")
        #expect(lines.first?.contains("app.background.color") == true)
        var gone = good
        gone.status.problem = ConfigError(.notFound, "the file does not exist", source: "gone.json")
        #expect(Announcer.status(from: good, to: gone) == ["missing: gone.json: the file does not exist"])
        var failed = good
        failed.status.phase = .offline
        failed.status.problem = ConfigError(.unreachable, "the connection ended")
        #expect(Announcer.status(from: good, to: failed) == ["offline: config.json: the connection ended"])
    }

    @Test("A namespace in which nothing was written is noted") @MainActor
    func namespaceWithoutRevisionIsNoted() throws {
        let empty = try Demo.configuration(Demo.pink)
        var new = empty
        let cursor = RevisionCursor(epoch: try #require(Epoch("0123456789abcdef")), revision: 0)
        let state = ServerSnapshot(cursor: cursor, digest: ConfigDigest(), entries: [:])
        new.snapshot = try EntrySnapshot.empty.updated(with: state, from: "http://h/v1/shpo", at: Demo.noon).snapshot
        let lines = Announcer.status(from: empty, to: new)
        #expect(lines.contains { $0.hasPrefix("note: the namespace of config.json is empty") }, "\(lines)")
        #expect(PlainReport(new).text(clock: .utc).contains("note:        the namespace of config.json is empty"))
        #expect(!PlainReport(empty).text(clock: .utc).contains("note:"))
    }

    @Test @MainActor func aSlowSourceIsReportedAsBeingRead() throws {
        let calm = try Demo.configuration(Demo.pink)
        var slow = calm
        slow.status.readingSince = Demo.noon
        #expect(Announcer.status(from: calm, to: slow) == ["reading: config.json"])
        #expect(Announcer.status(from: slow, to: calm) == ["live: config.json"])
        var first = ConfigState(source: "http://slow.example.org/").current
        first.status.readingSince = Demo.noon
        #expect(PlainReport(first).text(clock: .utc).hasPrefix("state:       reading\n"))
        var model = try Demo.model()
        model.main.state.configuration = first
        #expect(model.statusLine.hasPrefix(" … reading  reading since 12:03:44  "))
        model.main.state.configuration = slow
        #expect(model.statusLine.hasPrefix(" ● live  reading since 12:03:44  "))
    }

    @Test func reportsHaveTheVersionWarning() throws {
        let report = PlainReport(try Demo.configuration(Demo.document(minimumVersion: "2.0.0")))
        #expect(report.text(clock: .utc).contains("version:     Out of date: this is 0.9.0, minimum: 2.0.0\n"))
        let facts = try JSONSerialization.jsonObject(with: Data(report.json().utf8)) as? [String: Any]
        #expect(facts?["is_up_to_date"] as? Bool == false && facts?["version"] as? String == "0.9.0")
        #expect((facts?["settings"] as? [String: String])?["app.min_version"] == "2.0.0")
    }

    @Test func noLineCommandsATerminalOrForgesAnother() throws {
        let hostile = "\u{1B}[2J\nstate:       live\u{9B}m\u{202E}"
        let report = PlainReport(try Demo.configuration(Demo.document(text: hostile), source: hostile))
        let text = report.text(clock: .utc)
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        #expect(!text.unicodeScalars.contains("\u{202E}"))
        #expect(text.split(separator: "\n").count == 15)
    }

    @Test func terminalJSONEscapesControlCharacters() throws {
        let hostile = "\u{9B}31m\u{202E}\u{7F}Meow! 😸"
        let report = PlainReport(try Demo.configuration(Demo.document(text: hostile), source: hostile))
        let (exact, shown) = (report.json(), report.json(onTerminal: true))
        #expect(exact.contains("\u{202E}"))
        #expect(shown.contains(#""\u009b31m\u202e\u007fMeow! 😸""#))
        #expect(shown.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        let facts = try [exact, shown].map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary }
        #expect(facts[0] == facts[1])
    }

    @Test func theJSONHasTheSameFacts() throws {
        let members: Set<String> = [
            "is_up_to_date", "modified_at", "problems", "settings", "source", "state", "tweaks", "values", "version",
        ]
        let missing = try JSONSerialization.jsonObject(
            with: Data(PlainReport(ConfigState(source: "gone.json").current).json().utf8)
        )
        #expect((missing as? [String: Any]).map { Set($0.keys) } == members, "as the help and Commands.md have them")
        let report = PlainReport(try Demo.configuration(Demo.document(color: "pink")))
        let json = report.json()
        #expect(json.hasSuffix("}\n"))
        let facts = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(Set(facts.keys) == members)
        #expect(facts["state"] as? String == "error")
        #expect(facts["source"] as? String == "config.json")
        #expect(facts["modified_at"] as? String == "2026-11-20T12:03:44.000Z")
        let values = try #require(facts["values"] as? [String: String])
        #expect(values["app.background.color"] == "pink", "what the source has, whether it can be used or not")
        #expect(values.count == 4)
        let settings = [
            "app.background.color": "#000000", "app.fun_button.text": "Meow! 😸",
            "app.fun_button.url": "https://example.org/cats",
            "app.min_version": "0.9.0",
        ]
        #expect(facts["settings"] as? [String: String] == settings)
        let problem = ##"config.json:2:29: app.background.color: "pink" is not a colour such as #FFB6C1"##
        #expect(facts["problems"] as? [String] == [problem])
    }
}

@MainActor
struct CacheWarningsTests {
    @Test func eachProblemIsReportedOnce() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("{}", to: "config.json")
        try folder.write("no folder", to: "home")
        let source = FileSource(path: folder["config.json"])
        // The folder cannot be searched, and it cannot be made.
        let cache = ConfigCache(app: "test", version: "1", folder: folder["home/cache/test"])
        let sync = RemoteConfigService(source: source, cache: cache)
        var said: [String] = []
        let warnings = CacheWarnings(of: sync) { said.append($0) }
        warnings.report()
        #expect(said.count == 1, "at launch")
        _ = await sync.refreshOutcome()
        warnings.report()
        #expect(said.count == 1)
        #expect(said.first?.hasPrefix("livery: cannot write the cache") == true)
    }

    @Test func damagedCacheIsReportedBeforeTheFirstRead() throws {
        let folder = try TemporaryDirectory()
        let source = FileSource(path: folder["config.json"])
        let cache = ConfigCache(app: "test", version: "1", folder: folder["cache"])
        try folder.write("damaged", to: String(cache.path(ofSource: source.identity).dropFirst(folder.path.count + 1)))
        var said: [String] = []
        CacheWarnings(of: RemoteConfigService(source: source, cache: cache)) { said.append($0) }.report()
        #expect(said.count == 1)
        #expect(said.first?.contains("moved it to") == true)
    }
}

struct ClockFormatTests {
    @Test(
        arguments: [
            (0, "1970-01-01 00:00:00"), (1_795_176_224_000, "2026-11-20 12:03:44"),
            (1_795_176_224_999, "2026-11-20 12:03:44"),
            (951_782_400_000, "2000-02-29 00:00:00"), (253_402_300_799_000, "9999-12-31 23:59:59"),
            (-1, "1969-12-31 23:59:59"),
            (-1000, "1969-12-31 23:59:59"), (-1001, "1969-12-31 23:59:58"),
        ] as [(Int64, String)]
    )
    func timesAreWrittenToTheSecond(milliseconds: Int64, text: String) {
        let moment = Timestamp(milliseconds: milliseconds)
        #expect(ClockFormat.utc.dateAndClock(moment) == text)
        #expect(ClockFormat.utc.clock(moment) == String(text.suffix(8)))
    }

    @Test(arguments: [Int64.min, .max])
    func extremeTimesAreWritten(milliseconds: Int64) {
        let moment = Timestamp(milliseconds: milliseconds)
        #expect(ClockFormat.utc.clock(moment).count == 8)
        #expect(!ClockFormat.utc.dateAndClock(moment).isEmpty)
        #expect(ClockFormat.local.clock(moment).count == 8)
    }
}
