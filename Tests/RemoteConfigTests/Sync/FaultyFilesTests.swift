// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig
import TestSupport
import Testing

/// Errors are reported with their position, the last good state stays, and everything can be repaired.
@Suite(.timeLimit(.minutes(5)))
struct FaultyFilesTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// Follows a good file that becomes invalid and is repaired.
    private func following(
        faultBy spoil: (TemporaryDirectory) throws -> Void,
        mendedBy mend: ((TemporaryDirectory) throws -> Void)? = nil,
        _ check: (SourceStatus) -> Void
    ) async throws {
        try folder.overwrite(#"{"k":1}"#, at: "c.json")
        try await RemoteConfigTests.following(FileSource(path: folder["c.json"])) { running in
            try await running.shows(.integer(1))
            try spoil(folder)
            try await until("the fault is seen") { running.problem != nil }
            #expect(running.current.snapshot.revision == 1)
            #expect(running.value("k") == .integer(1), "the last good state stays")
            check(running.current.status)
            try mend?(folder)
            try folder.replace("c.json", with: #"{"k":2}"#)
            try await running.shows(.integer(2))
            #expect(running.problem == nil)
            #expect(running.current.status.phase == .streaming)
            try await until("both states are announced") { running.updates.entries.map(\.revision) == [1, 2] }
        }
    }

    @Test(arguments: [
        ("", "1:1: the document is empty; write at least {}"),
        (" \n", "2:1: the document is empty; write at least {}"),
        ("{\n  \"k\": }", "2:8: k: expected a value, found '}'"),
        // Longer than the good file, whose end must not complete it while it is written over.
        ("{\"k\":22", "1:8: unexpected end of input; expected '}' or ',' after a value"),
        ("{\"k\":2,\n\"k\":3}", "2:1: k: duplicate key, first defined at 1:6; remove one"),
    ])
    func faultyContentIsReportedWithItsPlace(json: String, problem: String) async throws {
        try await following(faultBy: { try $0.overwrite(json, at: "c.json") }) { status in
            #expect(status.problem?.description == "\(folder["c.json"]):\(problem)")
            #expect(status.phase == .streaming && status.hasFailed, "the file is still watched")
        }
    }

    @Test func deletedFileIsReportedUntilRecreated() async throws {
        try await following(faultBy: { try $0.remove("c.json") }) { status in
            #expect(status.problem?.code == .notFound)
            #expect(status.phase == .offline)
        }
    }

    /// The rest of the file is used, and the problem stays until the file is repaired.
    @Test func aKeyThatCannotBeHeldIsLeftOutAndReported() async throws {
        try folder.overwrite(#"{"k":1}"#, at: "c.json")
        try await RemoteConfigTests.following(FileSource(path: folder["c.json"])) { running in
            try await running.shows(.integer(1))
            try folder.replace("c.json", with: #"{"k":[2,{"l":null}],"note":null,"a b":1}"#)
            try await running.shows([2, ["l": .null]])
            try await until("the problem is reported") { running.problem != nil }
            let message = "1:28: note: null is not a value; remove the key instead (and 1 more)"
            #expect(running.problem?.description == "\(folder["c.json"]):\(message)")
            #expect(running.current.snapshot.entries.count == 1)
            try folder.replace("c.json", with: #"{"k":3}"#)
            try await running.shows(.integer(3))
            #expect(running.problem == nil)
        }
    }

    @Test(.enabled(if: geteuid() != 0, "root can read anything")) func unreadableFileIsReportedUntilAllowed()
        async throws
    {
        try folder.overwrite(#"{"k":1}"#, at: "c.json")
        try await RemoteConfigTests.following(FileSource(path: folder["c.json"])) { running in
            try await running.shows(.integer(1))
            try folder.allow(0, on: "c.json")
            try await until("the fault is seen") { running.problem?.code == .unreadable }
            #expect(running.value("k") == .integer(1))
            try folder.allow(0o644, on: "c.json")
            try await until("the fault is mended") { running.problem == nil }
            try folder.overwrite(#"{"k":2}"#, at: "c.json")
            try await running.shows(.integer(2))
        }
    }

    @Test func errorAndItsEndAreAnnouncedOnce() async throws {
        try await following(faultBy: { try $0.overwrite("{", at: "c.json") }) { _ in }
        let folder = try TemporaryDirectory()
        try folder.overwrite("{", at: "c.json")
        try await RemoteConfigTests.following(FileSource(path: folder["c.json"])) { running in
            try await until("the fault is seen") { running.problem != nil }
            try folder.replace("c.json", with: "{")
            // The same error at the same position is not announced again.
            _ = await running.service.refreshOutcome()
            try folder.replace("c.json", with: "{}")
            try await until("the fault is mended") { running.statuses.entries.last?.hasFailed == false }
            #expect(running.statuses.entries.map { $0.problem == nil } == [false, true])
            #expect(running.updates.entries.isEmpty)
        }
    }

    /// An editor empties a file and writes it: no observer may see the empty one.
    @Test func shortErrorIsNeverReported() async throws {
        try folder.overwrite(#"{"k":0}"#, at: "c.json")
        let source = WitnessedSource(FileSource(path: folder["c.json"]))
        try await RemoteConfigTests.following(source) { running in
            try await running.shows(.integer(0))
            try await until("the file has settled") { source.hinted.entries.contains(.settled) }
            // Each error is on a separate line, as announcements may come later than the state that follows them.
            var shortFaults: Set<Int> = []
            for value in 1... {
                if shortFaults.count == 10 { break }
                let faultCount = source.faults.entries.count
                let start = ContinuousClock.now
                try folder.overwrite(String(repeating: "\n", count: value) + "{", at: "c.json")
                try await until("the fault is read") { source.faults.entries.count > faultCount }
                try folder.overwrite(#"{"k":\#(value)}"#, at: "c.json")
                if ContinuousClock.now - start < .milliseconds(140) { shortFaults.insert(value + 1) }
                try await running.shows(.integer(value))
            }
            try folder.overwrite("{", at: "c.json")
            let lines = { running.statuses.entries.compactMap { $0.problem?.location?.line } }
            try await until("the last fault is reported") { lines().contains(1) }
            #expect(shortFaults.isDisjoint(with: lines()))
        }
    }
}
