// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files
import Foundation
import TestSupport
import Testing

@testable import RemoteConfig

@Suite(.timeLimit(.minutes(5)))
struct FileSourceReadTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func read(_ name: String) async throws(ConfigError) -> SourceReading {
        try await FileSource(path: folder[name]).read()
    }

    private func problem(of name: String) async -> ConfigError? {
        do throws(ConfigError) {
            _ = try await read(name)
            return nil
        } catch {
            return error
        }
    }

    @Test func contentAndTimeComeFromTheFile() async throws {
        try folder.overwrite(#"{"a":{"b":1}}"#, at: "c.json")
        let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 987_654_321)
        try check(utimensat(AT_FDCWD, folder["c.json"], [time, time], 0))
        let reading = try await read("c.json")
        #expect(reading.document?.entries["a.b"]?.value == .integer(1))
        #expect(reading.modifiedAt == Timestamp(milliseconds: 1_700_000_000_987))
    }

    /// A reader that has the state of the last reading gets the changes of a large file alone.
    @Test func aLargeFileIsReadWhereItDiffers() async throws {
        func text(_ value: String) -> String {
            "{\n"
                + (0..<3000).map { "  \"key\($0)\": \($0 == 2000 ? value : "\"value number \($0)\"")" }
                .joined(separator: ",\n") + "\n}\n"
        }
        try folder.overwrite(text("1"), at: "c.json")
        let source = FileSource(path: folder["c.json"])
        var known = SourcePosition()
        known.text = try await source.read().text
        #expect(known.text != nil)
        try folder.overwrite(text("2"), at: "c.json")
        let reading = try await source.read(after: known)
        if case .edit = reading.content {} else { Issue.record("\(reading.content)") }
        #expect(try await source.read(after: known).document?["key2000"] == 2, "a state of another text")
        try await following(source) { running in
            try await running.shows(2, for: "key2000")
            try folder.replace("c.json", with: text("{\n    \"x\": 3\n  }"))
            try await running.shows(3, for: "key2000.x")
            #expect(running.value("key2000") == nil)
            #expect(running.current.snapshot.entries["key2999"]?.location == TextLocation(line: 3003, column: 14))
            try folder.replace("c.json", with: text("4, \"key1\": 5"))
            try await until("the duplicate is reported") { running.problem != nil }
            #expect(running.problem?.code == .duplicateKey && running.problem?.location?.line == 2002)
        }
    }

    @Test func theNameIsAsTheUserGaveIt() async {
        let source = FileSource(path: "no/such/../config.json")
        #expect(source.name == "no/such/../config.json")
        let error = await #expect(throws: ConfigError.self) { try await source.read() }
        let advice = "waiting for it to be created"
        #expect(error?.description == "no/such/../config.json: the file does not exist; \(advice)")
    }

    @Test(arguments: ["gone.json", "gone/c.json", "c.json/c.json", "dangling"])
    func missingFileIsNotFound(name: String) async throws {
        try folder.overwrite("{}", at: "c.json")
        try folder.link("dangling", to: "nowhere")
        let error = await problem(of: name)
        #expect(error?.code == .notFound)
        let advice = "waiting for it to be created"
        #expect(error?.description == "\(folder[name]): the file does not exist; \(advice)")
    }

    @Test(arguments: ["folder", "fifo", "link-to-folder", "."])
    func nonFileIsUnreadableWithoutBlocking(name: String) async throws {
        try folder.makeFolder("folder")
        try folder.link("link-to-folder", to: "folder")
        try check(mkfifo(folder["fifo"], 0o644))
        let error = await problem(of: name)
        #expect(error?.code == .unreadable)
        #expect(error?.message.hasPrefix("not a regular file but a folder, a pipe or a device; ") == true)
    }

    @Test(.enabled(if: geteuid() != 0, "root can read anything")) func aForbiddenFileIsUnreadable() async throws {
        try folder.overwrite("{}", at: "c.json")
        try folder.allow(0, on: "c.json")
        let error = await problem(of: "c.json")
        #expect(error?.code == .unreadable)
        #expect(error?.message == "cannot read the file: Permission denied")
    }

    @Test func eightMebibytesAreTheLimit() async throws {
        let limit = ConfigDocument.maximumBytes
        try folder.overwrite("{}" + String(repeating: " ", count: limit - 2), at: "c.json")
        #expect(try await read("c.json").document?.entries.isEmpty == true)
        try folder.overwrite("{}" + String(repeating: " ", count: limit - 1), at: "c.json")
        let error = await problem(of: "c.json")
        #expect(error?.code == .tooLarge)
        let message = "the file is larger than 8 MiB; store large content elsewhere"
        #expect(error?.description == "\(folder["c.json"]): \(message)")
    }

    #if os(Linux)
        /// A file system in memory has files of any size.
        @Test func theLargestFileIsTooLarge() async throws {
            let large = "/dev/shm/livery-\(UUID().uuidString)"
            try check(close(open(large, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)))
            defer { unlink(large) }
            try check(truncate(large, .max))
            try folder.link("c.json", to: large)
            #expect(await problem(of: "c.json")?.code == .tooLarge)
        }
    #endif
}

@Suite(.timeLimit(.minutes(5)))
struct FileSourceHintTests {
    @Test func slowListenerIsNotifiedOfTheSettledFile() async throws {
        let folder = try TemporaryDirectory()
        let witness = Log<FileHint>()
        let watcher = FileWatcher(path: AbsolutePath(folder["c.json"])) { witness.append($0) }
        defer { watcher.cancel() }
        var hints = FileSource(path: folder["c.json"]).hints().makeAsyncIterator()
        try await until("the file has settled") { witness.entries.contains(.settled) }
        for round in 0..<50 { try folder.replace("c.json", with: "{\(round)}") }
        try await until("the file has settled") { witness.entries.count { $0 == .settled } >= 2 }
        // No hint was read until now; only the last one matters.
        var last = await hints.next()
        while last == .changed { last = await hints.next() }
        #expect(last == .settled)
    }

    @Test func nothingIsLeftOpenAfterAThousandWatches() async throws {
        let folder = try TemporaryDirectory()
        try folder.overwrite("{}", at: "c.json")
        let before = try HeldResources()
        for _ in 0..<1000 {
            for await _ in FileSource(path: folder["c.json"]).hints() { break }
        }
        // Other tests run at the same time and have their own files open.
        try await until("the files are closed") { try !HeldResources().exceed(before, and: 100) }
    }
}
