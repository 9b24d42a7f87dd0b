// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Foundation
import Observing
import TestSupport
import Testing

struct FileStoreTests {
    private let folder: TemporaryDirectory
    private var path: String { folder["livery/tweaks.json"] }

    init() throws { folder = try TemporaryDirectory() }

    @Test func theFileIsReadableByItsOwnerOnlyAndByPeople() throws {
        let store = FileStore(path: path)
        try store.apply([("b", .integer(1)), ("a", .string("Meow 😸"))])
        #expect(try folder.mode(of: "livery/tweaks.json") == 0o600)
        #expect(try folder.mode(of: "livery") == 0o700)
        let text = String(decoding: try folder.read("livery/tweaks.json"), as: UTF8.self)
        #expect(text == "{\n  \"a\": \"Meow 😸\",\n  \"b\": 1\n}\n")
    }

    @Test func theFileIsReplacedAndNeverWrittenInto() throws {
        let store = FileStore(path: path)
        try store.set(1, forKey: "a")
        let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        let reader = try FileHandle(forReadingFrom: URL(filePath: path))
        try store.set(2, forKey: "a")
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int != before)
        #expect(try reader.readToEnd() == Data("{\n  \"a\": 1\n}\n".utf8))
        #expect(try folder.contents(of: "livery") == ["tweaks.json"])
    }

    @Test(arguments: ["{\"a\": 1", "[1]", "", "not JSON", "{\"a\":1,\"a\":2}"])
    func aDamagedFileIsSetAsideByTheNextChange(_ content: String) throws {
        try folder.write(content, to: "livery/tweaks.json")
        let store = FileStore(path: path)
        #expect(store.values.isEmpty)
        #expect(store.problem?.description.contains("the next change moves it aside") == true)
        #expect(try folder.contents(of: "livery") == ["tweaks.json"])
        try store.set(1, forKey: "b")
        let problem = try #require(store.problem)
        let names = try folder.contents(of: "livery")
        let aside = try #require(names.last)
        #expect(names.count == 2 && aside.hasPrefix("tweaks.json.damaged-"))
        #expect(problem.description.contains(aside))
        #expect(String(decoding: try folder.read("livery/" + aside), as: UTF8.self) == content)
        #expect(FileStore(path: path).values == ["b": .integer(1)])
    }

    @Test func changeOfNothingLeavesADamagedFile() throws {
        let store = FileStore(path: path)
        try store.set(1, forKey: "a")
        try folder.write("damaged", to: "livery/tweaks.json")
        try store.apply([("a", .integer(1)), ("b", nil)])
        #expect(store.problem?.description.contains("the next change moves it aside") == true)
        #expect(try folder.contents(of: "livery") == ["tweaks.json"] && store.values == ["a": .integer(1)])
        #expect(String(decoding: try folder.read("livery/tweaks.json"), as: UTF8.self) == "damaged")
    }

    @Test func damagedFileBehindALinkIsReplaced() throws {
        try folder.write("damaged", to: "dotfiles/tweaks.json")
        let target = folder["dotfiles/tweaks.json"]
        try folder.write("", to: "livery/other")
        try folder.link("livery/tweaks.json", to: target)
        let store = FileStore(path: path)
        try store.set(1, forKey: "a")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
        let aside = try #require(try folder.contents(of: "dotfiles").last)
        #expect(store.problem?.message.contains("moved the file to \(folder["dotfiles/" + aside])") == true)
        #expect(String(decoding: try folder.read("dotfiles/" + aside), as: UTF8.self) == "damaged")
        #expect(FileStore(path: path).values == ["a": .integer(1)] && FileStore(path: target).problem == nil)
    }

    /// As when a person looks after a comma that was forgotten.
    @Test func repairedFileIsReadNormally() throws {
        try folder.write(#"{"a": 1 "b": 2}"#, to: "livery/tweaks.json")
        let (open, other) = (FileStore(path: path), FileStore(path: path))
        #expect(open.problem != nil && other.problem != nil)
        try folder.write(#"{"a": 1, "b": 2}"#, to: "livery/tweaks.json")
        try open.refresh()
        #expect(open.values == ["a": .integer(1), "b": .integer(2)])
        #expect(open.problem == nil)
        try other.set(3, forKey: "c")
        #expect(other.values == ["a": .integer(1), "b": .integer(2), "c": .integer(3)])
        #expect(other.problem == nil)
    }

    @Test func damagedFileIsRewrittenFromMemory() throws {
        let store = FileStore(path: path)
        try store.set(1, forKey: "a")
        try folder.write("damaged", to: "livery/tweaks.json")
        try store.set(2, forKey: "b")
        #expect(FileStore(path: path).values == ["a": .integer(1), "b": .integer(2)])
    }

    @Test func concurrentWritesAreKeptAndAnnounced() throws {
        let (first, second) = (FileStore(path: path), FileStore(path: path))
        let recorder = Log<String>()
        let stop = first.observe("b") { recorder.append("b") }
        try first.set(1, forKey: "a")
        try second.set(2, forKey: "b")
        try first.set(3, forKey: "a")
        #expect(first.values == ["a": .integer(3), "b": .integer(2)])
        #expect(recorder.entries == ["b"])
        stop()
    }

    // MARK: Reading the file again

    @Test func refreshAnnouncesForeignWrites() throws {
        let (first, second) = (FileStore(path: path), FileStore(path: path))
        try first.apply([("a", .integer(1)), ("b", .integer(1))])
        let recorder = Log<String>()
        let observations = ["a", "b"].map { key in first.observe(key) { recorder.append(key) } }
        try second.set(2, forKey: "b")
        try first.refresh()
        try first.refresh()
        #expect(first.values == ["a": .integer(1), "b": .integer(2)])
        #expect(recorder.entries == ["b"])
        for stop in observations { stop() }
    }

    @Test(arguments: ["", "{\"a\": 2", "[2]"])
    func incompleteFileIsReportedOnceSettled(_ content: String) throws {
        let store = FileStore(path: path)
        try store.set(1, forKey: "a")
        try folder.write(content, to: "livery/tweaks.json")
        try store.refresh(isSettled: false)
        let error = #expect(throws: ConfigError.self) { try store.refresh() }
        #expect(error?.description.hasSuffix("; the next change moves it aside and starts a new file") == true)
        #expect(store.values == ["a": .integer(1)])
        #expect(String(decoding: try folder.read("livery/tweaks.json"), as: UTF8.self) == content)
    }

    @Test func removedFileIsEmptyOnceSettled() throws {
        let store = FileStore(path: path)
        try store.set(1, forKey: "a")
        try FileManager.default.removeItem(atPath: path)
        try store.refresh(isSettled: false)
        #expect(store.values == ["a": .integer(1)])
        try store.refresh()
        #expect(store.values.isEmpty)
    }

    @Test(
        arguments: [
            .string(String(repeating: "x", count: 100_000)), .integer(.max), .double(1.2345678901234567e18),
            try? EntryValue(text: String(repeating: "[", count: 60) + String(repeating: "]", count: 60)),
        ] as [EntryValue?]
    )
    func valuesBeyondThoseOfEntriesAreKept(_ value: EntryValue?) throws {
        try FileStore(path: path).set(value, forKey: "a")
        let read = try #require(FileStore(path: path).value(forKey: "a"))
        #expect(read == value && Set([read, value]).count == 1)
    }

    @Test func unknownKeysAreKeptAsTheyAre() throws {
        try folder.write(#"{"future/x": {"deep": [1, null, {"y": 0.5}]}}"#, to: "livery/tweaks.json")
        try FileStore(path: path).set(1, forKey: "a")
        let value = FileStore(path: path).value(forKey: "future/x")
        #expect(value == ["deep": [1, .null, ["y": 0.5]]])
    }

    @Test(arguments: [true, false])
    func aLinkToTheFileStaysOneAlsoWhereThereIsNoFileYet(_ isThere: Bool) throws {
        try folder.write("{}", to: "elsewhere/\(isThere ? "tweaks" : "other").json")
        try folder.makeFolder("livery")
        let target = folder["elsewhere/tweaks.json"]
        try folder.link("livery/tweaks.json", to: target)
        #expect(FileStore(path: path).problem == nil)
        try FileStore(path: path).set(1, forKey: "a")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
        #expect(FileStore(path: target).values == ["a": .integer(1)])
    }

    @Test func failedWriteChangesNothing() throws {
        try folder.write("no folder", to: "livery")
        let store = FileStore(path: path)
        let recorder = Log<String>()
        let stop = store.observe("a") { recorder.append("a") }
        #expect(throws: ConfigError.self) { try store.set(1, forKey: "a") }
        #expect(store.values.isEmpty && recorder.entries.isEmpty)
        stop()
    }

    @Test(arguments: [
        (["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/livery/tweaks.json"),
        (["XDG_CONFIG_HOME": "relative", "HOME": "/h"], "/h/.config/livery/tweaks.json"),
        (["XDG_CONFIG_HOME": "", "HOME": "/h"], "/h/.config/livery/tweaks.json"),
    ])
    func theFileIsWhereTheDesktopSpecificationHasIt(_ environment: [String: String], _ path: String) {
        #expect(FileStore.tweaksPath(environment: environment) == path)
    }
}

struct FileStoreSharingTests {
    /// Each store has a separate lock on the folder, as in two programs.
    @Test(.timeLimit(.minutes(5))) func storesThatWriteAtOnceLoseNothing() async throws {
        let folder = try TemporaryDirectory()
        let path = folder["livery/tweaks.json"]
        let writers = 4
        let keys = 25
        try await withThrowingTaskGroup { group in
            for writer in 0..<writers {
                group.addTask {
                    try await onDedicatedThread {
                        let store = FileStore(path: path)
                        for key in 0..<keys { try store.set(key, forKey: "\(writer).\(key)") }
                    }
                }
            }
            try await group.waitForAll()
        }
        let store = FileStore(path: path)
        #expect(store.values.count == writers * keys)
        #expect(store.problem == nil)
        #expect(try folder.contents(of: "livery") == ["tweaks.json"])
    }
}
