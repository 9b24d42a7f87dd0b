// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport
import Testing

@testable import RemoteConfig

/// The changes that observers receive while a file changes.
@Suite(.timeLimit(.minutes(5)))
struct RemoteConfigServiceFileTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private func following(_ body: (RunningService) async throws -> Void) async throws {
        try await RemoteConfigTests.following(FileSource(path: folder["c.json"]), body)
    }

    @Test func blockingSourceRespectsTimeouts() async throws {
        let gate = DispatchSemaphore(value: 0)
        @Sendable func wait() { gate.wait() }
        var source = ScriptedSource()
        source.reading = { _ throws(ConfigError) in
            wait()
            return SourceReading(.unchanged)
        }
        let service = RemoteConfigService(source: source)
        #expect(await service.refreshOutcome(timeout: .milliseconds(20)).isFailure)
        #expect(await service.failureOfWait(.milliseconds(20)) != nil)
        gate.signal()
        try await service.waitUntilReady(timeout: .seconds(60))
    }

    /// A backup that is moved into place is as old as it was, and yet the change is of now.
    @Test(arguments: ["{}", "{", nil]) func onlyInitialValuesHaveTheFilesDate(_ first: String?) async throws {
        if let first { try folder.overwrite(first, at: "c.json") }
        let service = RemoteConfigService(source: FileSource(path: folder["c.json"]))
        let start = Timestamp.now
        _ = await service.refreshOutcome()
        #expect((service.state.current.status.problem == nil) == (first == "{}"))
        try folder.overwrite(#"{"k":1}"#, at: "backup.json")
        let old = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: folder["backup.json"])
        try folder.move("backup.json", to: "c.json")
        #expect(await service.refreshOutcome() == .changed(keys: ["k"]))
        let status = service.state.current.status
        #expect(try #require(status.lastChangeAt) >= start)
        #expect(status.modifiedAt == Timestamp(milliseconds: 1_700_000_000_000))
    }

    @Test func nothingChangedNothingAnnounced() async throws {
        try folder.overwrite(#"{"a":1,"b":"x"}"#, at: "c.json")
        try await following { running in
            try await until("the first state is announced") { running.updates.entries.count == 1 }
            let changedAt = running.current.status.lastChangeAt
            // White space, order, notation of numbers and strings: all the same values.
            for (index, json) in [
                #"{"b":"x","a":1}"#, "{\n \"a\": 1.0,\n \"b\" : \"\\u0078\" }", #"{ "a" : 1e0 , "b" : "x" }"#,
            ].enumerated() {
                let places = running.current.snapshot.entries.mapValues(\.location)
                index == 0 ? try folder.overwrite(json, at: "c.json") : try folder.replace("c.json", with: json)
                try await until("the file is read") { running.current.snapshot.entries.mapValues(\.location) != places }
            }
            #expect(await running.service.refreshOutcome() == .unchanged)
            #expect(running.current.snapshot.revision == 1)
            #expect(running.current.status.lastChangeAt == changedAt)
            try folder.replace("c.json", with: #"{"a":2,"b":"x"}"#)
            try await until("the second state is announced") { running.updates.entries.count > 1 }
            #expect(running.updates.entries.map(\.revision) == [1, 2])
            let update = try #require(running.updates.entries.last)
            #expect(update.changedKeys == ["a"])
            #expect(update.values(forKey: "a") == (.integer(1), .integer(2)))
            #expect(update.values(forKey: "b") == (.string("x"), .string("x")))
            #expect(update.values(forKey: "c") == (nil, nil))
        }
    }

    /// A thousand writes of every kind with gaps from none to more than a read takes.
    @Test func noChangeIsEverLost() async throws {
        try folder.overwrite(#"{"k":0}"#, at: "c.json")
        try await following { running in
            var random = SystemRandomNumberGenerator()
            for value in 1...1000 {
                let json = #"{"k":\#(value),"pad":"\#(String(repeating: "x", count: value % 97))"}"#
                switch Int.random(in: 0..<5, using: &random) {
                case 0: try folder.overwrite(json, at: "c.json")
                case 1: try folder.truncateAndWrite(json, to: "c.json")
                case 2: try folder.replace("c.json", with: json)
                case 3:
                    try folder.remove("c.json")
                    try folder.overwrite(json, at: "c.json")
                default:
                    try folder.overwrite(json, at: "real\(value % 3).json")
                    try folder.relink("c.json", to: "real\(value % 3).json")
                }
                if value.isMultiple(of: 50) {
                    try await running.shows(.integer(value))
                } else if Bool.random(using: &random) {
                    try await Task.sleep(for: .microseconds(Int.random(in: 0..<2000, using: &random)))
                }
            }
            try await running.shows(.integer(1000))
            let revisions = running.updates.entries.map(\.revision)
            #expect(zip(revisions, revisions.dropFirst()).allSatisfy(<))
            try await until("the newest state is announced") {
                running.updates.entries.last?.revision == running.current.snapshot.revision
            }
            #expect(running.problem == nil)
        }
    }
}

extension RefreshOutcome {
    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}
