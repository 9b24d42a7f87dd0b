// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import TestSupport
import Testing

@testable import Files

struct AtomicFileTests {
    @Test func aFileIsMadeForTheUserAlone() throws {
        let folder = try TemporaryDirectory()
        let path = folder["new.json"]
        #expect(try AtomicFile(path: path).create(with: Array("{}".utf8)))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "{}")
        #expect(try folder.mode(of: "new.json") == 0o600)
    }

    @Test func existingFileIsUnchanged() throws {
        let folder = try TemporaryDirectory()
        try folder.write("mine", to: "old.json")
        let path = folder["old.json"]
        #expect(try !AtomicFile(path: path).create(with: Array("{}".utf8)))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        try folder.link("link", to: "nowhere")
        #expect(try !AtomicFile(path: folder["link"]).create(with: []))
        #expect(!FileManager.default.fileExists(atPath: folder["nowhere"]))
    }

    @Test func aMissingFolderIsReported() throws {
        let folder = try TemporaryDirectory()
        let file = AtomicFile(path: folder["missing/new.json"])
        #expect(throws: OperationFailure.self) { try file.create(with: []) }
    }

    @Test func lockHeldTooLongIsReported() throws {
        let folder = try TemporaryDirectory()
        let holder = open(folder.path, O_RDONLY | O_CLOEXEC)
        defer { close(holder) }
        #expect(flock(holder, LOCK_EX) == 0)
        let file = AtomicFile(path: folder["a.json"], lockPatience: .milliseconds(20))
        let error = #expect(throws: OperationFailure.self) {
            try file.withLock(failing: { $0 }) { () throws(OperationFailure) in try file.replace(with: []) }
        }
        #expect(error?.code == .unavailable)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }
}
