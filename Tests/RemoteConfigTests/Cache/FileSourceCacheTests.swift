// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files
import Foundation
import RemoteConfigTesting
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import RemoteConfig

/// The last good values of a file, which the next start has.
@Suite(.timeLimit(.minutes(5)))
struct FileSourceCacheTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try folder.overwrite(#"{"color":"pink","text":"a"}"#, at: "c.json")
    }

    private func service(
        _ name: String = "c.json",
        disk: any Disk = SystemDisk(),
        unusableKeys: @escaping @Sendable (ConfigState.Snapshot) -> [String] = { _ in [] }
    ) -> RemoteConfigService {
        var settings = ServiceSettings()
        settings.cache = ConfigCache(app: "test", version: "1", folder: folder["cache"])
        settings.cache?.disk = disk
        settings.unusableKeys = unusableKeys
        return RemoteConfigService(source: FileSource(path: folder[name]), settings)
    }

    private func values(of service: RemoteConfigService) -> [String: EntryValue] {
        service.state.current.snapshot.entries.mapValues(\.value)
    }

    @Test(arguments: ["{", "", nil]) func unreadableFileKeepsItsValuesAfterARestart(content: String?) async throws {
        try await service().refresh()
        if let content { try folder.overwrite(content, at: "c.json") } else { try folder.remove("c.json") }
        let next = service()
        await #expect(throws: ConfigError.self) { try await next.refresh() }
        #expect(values(of: next) == ["color": "pink", "text": "a"])
        #expect(next.state.current.status.origin == .cache && next.state.current.status.hasFailed)
    }

    @Test func linkAndItsFileShareTheValues() async throws {
        try folder.makeFolder("folder")
        try folder.move("c.json", to: "folder/c.json")
        try folder.link("link.json", to: folder["folder/c.json"])
        try folder.link("other", to: folder["folder"])
        try await service("link.json").refresh()
        try folder.overwrite(#"{"color":"red"}"#, at: "another.json")
        for name in ["folder/c.json", "other/c.json"] { #expect(values(of: service(name))["color"] == "pink") }
        #expect(values(of: service("another.json")).isEmpty)
        // Values of another file are not those of this one.
        try folder.relink("link.json", to: folder["another.json"])
        #expect(values(of: service("link.json")).isEmpty)
    }

    @Test func aLinkThatLeadsElsewhereIsNotCachedAsItsFormerFile() async throws {
        try folder.overwrite(#"{"color":"red"}"#, at: "another.json")
        try folder.link("link.json", to: folder["c.json"])
        let service = service("link.json")
        try await service.refresh()
        try folder.relink("link.json", to: folder["another.json"])
        try await service.refresh()
        #expect(values(of: service)["color"] == "red")
        #expect(values(of: self.service("c.json"))["color"] == "pink")
    }

    /// The file itself still has its values, so that no screen waits for the disk.
    @Test func changesAreShownBeforeTheyAreCached() async throws {
        let shown = Log<EntryValue?>()
        let state = Mutex<ConfigState?>(nil)
        let disk = ScriptedDisk { step in
            if step == .lock, let state = state.withLock(\.self) { shown.append(state.entry(forKey: "text")?.value) }
            return nil
        }
        let service = service(disk: disk)
        state.withLock { $0 = service.state }
        for text in ["a", "b"] {
            try folder.overwrite(#"{"text":"\#(text)"}"#, at: "c.json")
            try await service.refresh()
            #expect(values(of: self.service()) == ["text": .string(text)], "it is cached once the call returns")
        }
        #expect(shown.entries == ["a", "b"])
    }

    @Test func changesAreCachedWhileTheFileIsFollowed() async throws {
        let service = service()
        try await service.running {
            for text in ["b", "c"] {
                try folder.overwrite(#"{"text":"\#(text)"}"#, at: "c.json")
                try await until("\(text) is cached") { values(of: self.service())["text"] == .string(text) }
            }
            try folder.overwrite(#"{"text":"d"}"#, at: "c.json")
            try await until("d is shown") { values(of: service)["text"] == "d" }
        }
        #expect(values(of: self.service()) == ["text": "d"], "the end of the run writes what is due later")
    }

    /// A program that draws each change writes them together, after that or at its end.
    @Test func changesDuringThePauseAreWrittenTogether() async throws {
        let (clock, writes) = (TestClock(), Log<ScriptedDisk.Step>())
        var settings = ServiceSettings()
        settings.cache = ConfigCache(app: "test", version: "1", folder: folder["cache"])
        settings.cache?.disk = ScriptedDisk { step in
            if step == .lock { writes.append(step) }
            return nil
        }
        (settings.pauseBeforeCaching, settings.clock) = (.milliseconds(200), clock)
        let service = RemoteConfigService(source: FileSource(path: folder["c.json"]), settings)
        try await service.refresh()
        #expect(values(of: self.service())["text"] == "a", "without a run, nothing may come later")
        let writesBefore = writes.entries.count
        try await service.running {
            for text in ["b", "c"] {
                try folder.overwrite(#"{"text":"\#(text)"}"#, at: "c.json")
                try await until("\(text) is shown") { values(of: service)["text"] == .string(text) }
            }
            #expect(writes.entries.count == writesBefore)
            clock.advance(by: .milliseconds(200))
            try await until("both are cached") { values(of: self.service()) == ["text": "c"] }
            #expect(writes.entries.count == writesBefore + 1)
            try folder.overwrite(#"{"text":"d"}"#, at: "c.json")
            try await until("d is shown") { values(of: service)["text"] == "d" }
        }
        #expect(values(of: self.service()) == ["text": "d"])
    }

    @Test func unwritableCacheIsReportedAfterTheValues() async throws {
        let service = service(disk: ScriptedDisk { $0 == .lock ? ScriptedDisk.Failure(code: .noSpace) : nil })
        try await service.refresh()
        #expect(values(of: service)["text"] == "a")
        #expect(service.state.current.status.cacheProblem?.code == .unreadable)
        #expect(service.state.current.status.problem == nil)
    }

    /// A value that the program cannot use leaves the one before it in the cache, and changes nothing else.
    @Test func unusableValuesKeepTheirPredecessors() async throws {
        let isUnusable = { @Sendable (current: ConfigState.Snapshot) in
            current.entry(forKey: "color")?.value == 1 ? ["color"] : []
        }
        let service = service(unusableKeys: isUnusable)
        try await service.refresh()
        for text in ["b", "c"] {
            try folder.overwrite(#"{"color":1,"text":"\#(text)"}"#, at: "c.json")
            try await service.refresh()
            #expect(values(of: service) == ["color": 1, "text": .string(text)])
        }
        let next = self.service(unusableKeys: isUnusable)
        #expect(values(of: next) == ["color": "pink", "text": "c"])
        try await next.refresh()
        #expect(values(of: next)["color"] == 1)
        #expect(values(of: self.service())["color"] == "pink")
        try folder.overwrite(#"{"text":"c"}"#, at: "c.json")
        try await next.refresh()
        #expect(values(of: self.service()) == ["text": "c"], "a key that is removed has no last good value")
    }

    /// Two programs that follow a file notice each change, and one write is enough.
    @Test func secondProcessDoesNotWriteTheSameStateAgain() async throws {
        let writes = Log<ScriptedDisk.Step>()
        let disk = ScriptedDisk { step in
            if step == .append { writes.append(step) }
            return nil
        }
        let services = (0..<2).map { _ in service(disk: disk) }
        for text in ["a", "b", "c"] {
            try folder.overwrite(#"{"text":"\#(text)"}"#, at: "c.json")
            for service in services { try await service.refresh() }
        }
        #expect(writes.entries.count == 3)
        #expect(values(of: service()) == ["text": "c"])
    }
}
