// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RemoteConfig

@Suite(.timeLimit(.minutes(5)))
struct FolderSourceTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func entries(hasJSON: Bool = false) async throws -> [String: EntryValue] {
        try await read(hasJSON: hasJSON).values
    }

    private func read(
        hasJSON: Bool = false
    ) async throws -> (values: [String: EntryValue], problem: ConfigError?, entries: ConfigEntries) {
        let reading = try await FolderSource(path: folder["mnt"], hasJSON: hasJSON).read()
        guard case .entries(let entries) = reading.content else { throw ConfigError(.damaged, "no entries") }
        return (entries.mapValues(\.value), reading.problem, entries)
    }

    @Test func eachFileIsAValueWithoutItsFinalLineBreak() async throws {
        try folder.write("Hi\n", to: "mnt/app.title")
        try folder.write("two\n\n", to: "mnt/lines")
        try folder.write("crlf\r\n", to: "mnt/crlf")
        try folder.write("", to: "mnt/empty")
        try folder.write("7", to: "mnt/size")
        try folder.write("hidden", to: "mnt/.hidden")
        try folder.write("below", to: "mnt/theme/dark")
        #expect(
            try await entries() == [
                "app.title": .string("Hi"), "lines": .string("two\n"), "crlf": .string("crlf"), "empty": .string(""),
                "size": .string("7"), "theme.dark": .string("below"),
            ]
        )
        let entry = try #require(try await read().entries["theme.dark"])
        #expect(entry.source == folder["mnt/theme/dark"])
    }

    @Test func filesMayBeReadAsJSON() async throws {
        try folder.write("7\n", to: "mnt/size")
        try folder.write(#" ["a", "b"] "#, to: "mnt/names")
        try folder.write("true", to: "mnt/dark")
        try folder.write("Hi", to: "mnt/title")
        try folder.write("1 2", to: "mnt/two")
        let (values, problem, _) = try await read(hasJSON: true)
        #expect(values == ["size": .integer(7), "names": ["a", "b"], "dark": .boolean(true)])
        #expect(problem?.source == folder["mnt/title"] && problem?.location == TextLocation(line: 1, column: 1))
        #expect(problem?.message.hasSuffix(" (and 1 more)") == true)
    }

    @Test func invalidValueIsReportedAndOthersApply() async throws {
        try folder.write("good", to: "mnt/good")
        for (name, content, code) in [
            ("not a key", Data("x".utf8), ConfigError.Code.invalidKey),
            ("binary", Data([0xFF, 0xFE, 0x00]), .syntax),
            ("large", Data(repeating: 0x61, count: 70_000), .tooLarge),
            ("huge", Data(repeating: 0x61, count: 700_000), .tooLarge),
        ] {
            try folder.write(content, to: "mnt/" + name)
            let (values, problem, _) = try await read()
            #expect(values == ["good": .string("good")])
            #expect(problem?.code == code && problem?.source == folder["mnt/" + name])
            try folder.remove("mnt/" + name)
        }
        try check(mkfifo(folder["mnt/pipe"], 0o600))
        #expect(try await read().problem?.code == .unreadable)
        try folder.remove("mnt/pipe")
        try folder.write("x", to: "mnt/a/b")
        try folder.write("y", to: "mnt/a.b")
        let (values, problem, _) = try await read()
        #expect(values["a.b"] == .string("y") || values["a.b"] == .string("x"))
        #expect(problem?.code == .duplicateKey && problem?.key == "a.b")
    }

    @Test func aLoopOfFoldersEnds() async throws {
        try folder.write("x", to: "mnt/k")
        try folder.link("mnt/l", to: ".")
        try folder.link("mnt/m", to: ".")
        let error = await #expect(throws: ConfigError.self) { try await entries() }
        #expect(error?.code == .tooLarge)
    }

    @Test func missingFolderIsReportedAndAwaited() async throws {
        let missing = await #expect(throws: ConfigError.self) { try await entries() }
        #expect(missing?.code == .notFound && missing?.source == folder["mnt"])
        try folder.write("x", to: "mnt")
        #expect(await #expect(throws: ConfigError.self) { try await entries() }?.code == .unreadable)
        try folder.remove("mnt")
        try await following(FolderSource(path: folder["mnt"])) { running in
            try await until("it is missing") { running.problem?.code == .notFound }
            try folder.write("1", to: "mnt/k")
            try await running.shows(.string("1"))
        }
    }

    @Test func aPlainFolderIsFollowed() async throws {
        try folder.write("1\n", to: "mnt/k")
        try await following(FolderSource(path: folder["mnt"])) { running in
            try await running.shows(.string("1"))
            try await until("it is live") { running.current.status.phase == .streaming }
            try folder.truncateAndWrite("2\n", to: "mnt/k")
            try await running.shows(.string("2"))
            try folder.replace("mnt/k", with: "3\n")
            try await running.shows(.string("3"))
            try folder.write("new", to: "mnt/n")
            try await running.shows(.string("new"), for: "n")
            try folder.remove("mnt/k")
            try await running.shows(nil)
            try folder.write(Data([0xFF]), to: "mnt/bad")
            try await until("the bad file is reported") { running.problem?.source == folder["mnt/bad"] }
            #expect(running.value("n") == .string("new"))
            try folder.remove("mnt/bad")
            try await until("the problem is over") { running.problem == nil }
        }
    }

    @Test func swapsOfAKubernetesMountAreOneChangeEach() async throws {
        let mount = try KubernetesMount(folder, "mnt")
        try mount.swap(to: ["a": "0", "b": "0"])
        try await following(FolderSource(path: folder["mnt"])) { running in
            try await running.shows(.string("0"), for: "a")
            for round in 1...50 {
                try mount.swap(to: ["a": "\(round)", "b": "\(round)"])
                if round % 10 == 0 { try await running.shows(.string("\(round)"), for: "b") }
            }
            try await running.shows(.string("50"), for: "a")
            for update in running.updates.entries {
                #expect(update.changedKeys == ["a", "b"])
                #expect(update.values(forKey: "a").new == update.values(forKey: "b").new)
            }
            try mount.swap(to: ["b": "end", "c/d": "1"])
            try await running.shows(nil, for: "a")
            #expect(running.value("b") == .string("end") && running.value("c.d") == .string("1"))
            #expect(running.problem == nil)
        }
    }

    @Test func noReadingHasTwoStatesOfASwap() async throws {
        let mount = try KubernetesMount(folder, "mnt")
        let names = (0..<8).map { "k\($0)" }
        try mount.swap(to: Dictionary(uniqueKeysWithValues: names.map { ($0, "0") }))
        let isOver = Mutex(false)
        let swapping = Task {
            defer { isOver.withLock { $0 = true } }
            try await onDedicatedThread {
                for round in 1...60 {
                    try mount.swap(to: Dictionary(uniqueKeysWithValues: names.map { ($0, "\(round)") }))
                }
            }
        }
        var seen: Set<EntryValue> = []
        while !isOver.withLock(\.self) {
            await Task.yield()
            do throws(ConfigError) {
                let reading = try await FolderSource(path: folder["mnt"]).read()
                guard case .entries(let entries) = reading.content else { continue }
                let values = Set(entries.values.map(\.value))
                #expect(values.count == 1 && entries.count == names.count && reading.problem == nil)
                seen.formUnion(values)
            } catch {
                #expect(error.code == .unavailable, "\(error)")
            }
        }
        try await swapping.value
        #expect(!seen.isEmpty)
    }

    @Test func aFileBelowAMountFollowsItsSwaps() async throws {
        let mount = try KubernetesMount(folder, "mnt")
        try mount.swap(to: ["config.json": #"{"k": 0}"#])
        try await following(FileSource(path: folder["mnt/config.json"])) { running in
            try await running.shows(.integer(0))
            for round in 1...20 {
                try mount.swap(to: ["config.json": #"{"k": \#(round)}"#])
                try await running.shows(.integer(round))
            }
            #expect(running.problem == nil)
        }
    }
}

/// A volume as the kubelet's AtomicWriter lays it out: `key -> ..data/key`, `..data -> ..2026_11_22_21_00_00.1`.
private final class KubernetesMount: Sendable {
    private let folder: TemporaryDirectory
    private let name: String
    private let count = Mutex(0)

    init(_ folder: TemporaryDirectory, _ name: String) throws {
        (self.folder, self.name) = (folder, name)
        try folder.makeFolder(name)
    }

    /// Writes a new folder, swaps the link to it, corrects the links of the keys, and removes the folder before.
    func swap(to values: [String: String]) throws {
        let number = count.withLock { count in
            count += 1
            return count
        }
        let (next, former) = ("..2026_11_22_21_00_00.\(number)", "..2026_11_22_21_00_00.\(number - 1)")
        try folder.makeFolder("\(name)/\(next)")
        for (key, value) in values { try folder.write(value, to: "\(name)/\(next)/\(key)") }
        try folder.link("\(name)/..data_tmp", to: next)
        try folder.move("\(name)/..data_tmp", to: "\(name)/..data")
        let tops = Set(values.keys.map { String($0.split(separator: "/")[0]) })
        let found = try folder.contents(of: name)
        let links = Set(found.filter { !$0.hasPrefix("..") })
        for top in tops.subtracting(links) { try folder.link("\(name)/\(top)", to: "..data/\(top)") }
        for stale in links.subtracting(tops) { try folder.remove("\(name)/\(stale)") }
        if number > 1 { try folder.remove("\(name)/\(former)") }
    }
}
