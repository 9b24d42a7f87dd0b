// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Files
import Foundation
import Logging
import TestSupport
import Testing

@testable import RemoteConfig

@Suite(.timeLimit(.minutes(5)))
struct CacheFileTests {
    private let history = CacheHistory(count: 60)
    private let desk: CacheDesk
    private var folder: TemporaryDirectory { desk.folder }

    init() throws { desk = try CacheDesk() }

    @Test func nothingIsThereAtFirst() {
        var file = desk.file()
        #expect(file.load() == nil)
        #expect(desk.warnings.entries.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder["cache"]), "nothing is made for nothing")
    }

    @Test func cachedStateIsThereAtTheNextStart() throws {
        var file = desk.file()
        for revision in 0..<60 {
            try history.keep(revision, in: &file)
            #expect(desk.kept(of: history) == revision)
        }
        var next = desk.file()
        let loaded = next.load()
        let state = try #require(loaded)
        #expect(state.programVersion == "1.2.3")
        #expect(state.entries["revision"]?.source == "s")
        #expect(state.entries["revision"]?.changedAt == Timestamp(milliseconds: 5))
        try history.keep(1, after: 59, in: &next)
        #expect(desk.kept(of: history) == 59, "an older revision of the same history never replaces a newer one")
    }

    @Test func linkToTheFileStaysOne() throws {
        try folder.write("", to: "cache/other")
        try folder.write("damaged", to: "disk/target")
        try FileManager.default.createSymbolicLink(atPath: desk.path, withDestinationPath: folder["disk/target"])
        var file = desk.file()
        #expect(file.load() == nil)
        try history.keep(0, in: &file)
        #expect(desk.kept(of: history) == 0)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: desk.path) == folder["disk/target"])
        #expect(try folder.contents(of: "disk").contains("target.set-aside"))
    }

    @Test func everyKindOfValueIsKept() throws {
        let values: [String: EntryValue] = [
            "a": .string("é\u{0}\u{1F600}"), "b": .string(""), "c": .integer(-EntryValue.maximumInteger),
            "d": .double(0.1),
            "e": .boolean(false), "f": .boolean(true), "g": [], "h": ["", "x"],
            "i": [1, -2],
            "j": [1.5, -1e300], "k": [true, false],
        ]
        var file = desk.file()
        let entries = ConfigEntries(values)
        file.keep(CacheStep(entries: entries, changedKeys: [], base: CacheMark(), mark: CacheMark()), at: .zero)
        var next = desk.file()
        let loaded = next.load()
        let state = try #require(loaded)
        #expect(state.entries == ConfigEntries(values))
        #expect(state.mark == CacheMark())
    }

    @Test func filesAreForTheUserAlone() throws {
        var file = desk.file()
        try history.keep(0, in: &file)
        try history.keep(1, in: &file)
        for name in try folder.contents(of: "cache") {
            #expect(try folder.mode(of: "cache/" + name) == 0o600, "\(name)")
        }
        #expect(try folder.mode(of: "cache") == 0o700)
    }

    @Test func changeCostIsProportional() throws {
        let large = CacheHistory(count: 3, keys: 5000, padding: 100)
        var file = desk.file()
        try large.keep(0, in: &file)
        let length = try desk.bytes.count
        var values = large.states[0]
        values["revision"] = ConfigEntry(
            value: .integer(-1),
            source: "s",
            changedAt: Timestamp(milliseconds: 1)
        )
        let (base, mark) = (large.mark(0), large.mark(1))
        file.keep(CacheStep(entries: values, changedKeys: ["revision"], base: base, mark: mark), at: .zero)
        #expect(try desk.bytes.count - length < 300)
    }

    @Test func theFileHasALimitedSize() throws {
        let long = CacheHistory(count: 600, keys: 6, padding: 500)
        var file = desk.file()
        for revision in long.states.indices { try long.keep(revision, in: &file) }
        #expect(try desk.bytes.count < 150_000)
        var next = desk.file()
        #expect(long.revision(of: next.load()) == 599)
    }

    @Test(arguments: [[], [0], Array("{}".utf8), [UInt8](repeating: 0, count: 10_000)])
    func foreignFileIsMovedAside(content: [UInt8]) throws {
        try folder.makeFolder("cache")
        try desk.write(content)
        var file = desk.file()
        #expect(file.load() == nil)
        #expect(desk.warnings.entries.count == 1)
        try history.keep(0, in: &file)
        #expect(desk.kept(of: history) == 0)
    }

    @Test func anotherSourcesFileIsSetAside() throws {
        var other = desk.file("other")
        try history.keep(0, in: &other)
        let stranger = ConfigCache(app: "test", version: "1", folder: folder["cache"]).path(ofSource: "other")
        try FileManager.default.moveItem(atPath: stranger, toPath: desk.path)
        #expect(desk.kept(of: history) == nil)
        #expect(desk.warnings.entries.first?.contains("it was written for another source") == true)
    }

    /// All programs of a user share one folder.
    @Test func eachProgramSourceAndUserHasASeparateFile() throws {
        func context(_ user: String) -> EvaluationContext { EvaluationContext(targetingKey: user, ["team": "blue"]) }
        let places: [(program: String, source: String, context: EvaluationContext?)] = [
            ("p", "s", nil), ("q", "s", nil), ("p", "t", nil), ("ps", "", nil), ("p", "s\"", nil),
            ("p", "s", EvaluationContext()), ("p", "s", context("1")), ("p", "s", context("2")),
            ("e\u{301}", "s", nil), ("\u{E9}", "s", nil),
        ]
        var paths: Set<String> = []
        for (number, place) in places.enumerated() {
            let cache = ConfigCache(app: place.program, version: "1", folder: folder["cache"])
            var file = CacheFile(in: cache, ofSource: place.source, context: place.context, desk.warnings)
            #expect(file.load() == nil, "\(place)")
            try history.keep(number % 3, after: -1, in: &file)
            let path = cache.path(ofSource: place.source, in: place.context)
            #expect(paths.insert(path).inserted, "\(place)")
            let content = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            #expect(!content.contains("team"), "no context in plain text")
        }
        #expect(desk.warnings.entries.isEmpty)
    }

    @Test(arguments: [("org.example.shop", "/h/.cache/org.example.shop"), ("", nil), ("..", nil), ("a/b", nil)])
    func appHasAFolderOfItsName(app: String, folder: String?) {
        #expect(ConfigCache(app: app, version: "1", environment: ["HOME": "/h"])?.folder == folder)
    }

    @Test func aNewerFormatIsSetAside() throws {
        var file = desk.file()
        try history.keep(0, in: &file)
        var newer = try desk.bytes
        newer[CacheLog.magic.count] = 2
        try desk.write(newer)
        #expect(desk.kept(of: history) == nil)
        #expect(desk.warnings.entries.first?.contains("it has the newer format 2") == true)
    }

    @Test func burstIsFlushedTenTimesASecond() throws {
        let flushes = Log<ScriptedDisk.Step>()
        let disk = ScriptedDisk { step in
            if step == .flush { flushes.append(step) }
            return flushes.entries.count == 3 ? ScriptedDisk.Failure() : nil
        }
        var file = CacheFile(folder["cache"], disk: disk)
        func keep(_ revision: Int, at milliseconds: Int) throws {
            try history.keep(revision, in: &file, at: .milliseconds(milliseconds))
        }
        try keep(0, at: 0)
        try keep(1, at: 1000)
        #expect(flushes.entries.count == 2 && file.deadline == nil, "a change that comes alone")
        try keep(2, at: 1020)
        try keep(3, at: 1060)
        #expect(flushes.entries.count == 2 && file.deadline == .milliseconds(1100))
        file.catchUp(at: .milliseconds(1100))
        #expect(flushes.entries.count == 3 && file.deadline == .milliseconds(1200), "it stays due if it fails")
        file.catchUp(at: .milliseconds(1200))
        #expect(flushes.entries.count == 4 && file.deadline == nil)
    }

    /// The machine dies at each step, half-way through it.
    @Test func aDeathAtAnyStepLeavesAWholeState() throws {
        let long = CacheHistory(count: 12, keys: 3, padding: 3000)
        var steps = 0
        while true {
            let folder = try TemporaryDirectory()
            let disk = ScriptedDisk(dyingAfter: steps)
            var file = CacheFile(folder["cache"], disk: disk)
            _ = file.load()
            var (shown, tried) = (-1, -1)
            do {
                for revision in 0..<12 {
                    tried = revision
                    try long.keep(revision, in: &file, at: .seconds(revision))
                    shown = revision
                }
            } catch is ConfigError {}
            var next = CacheFile(folder["cache"], log: desk.warnings)
            let found = long.revision(of: next.load()) ?? -1
            #expect(found >= shown && found <= tried, "after \(steps) steps: \(found), not \(shown)...\(tried)")
            #expect(desk.warnings.entries.isEmpty)
            try long.keep(11, after: found, in: &next)
            var last = CacheFile(folder["cache"])
            #expect(long.revision(of: last.load()) == 11)
            #expect(try folder.contents(of: "cache").count <= 3)
            if shown == 11 { break }
            steps += 1
        }
        #expect(steps > 50)
    }
}
