// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import TestSupport
import Testing

@testable import RemoteConfig

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
