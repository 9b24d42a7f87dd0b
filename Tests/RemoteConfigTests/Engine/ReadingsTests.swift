// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import RemoteConfig

/// The meaning of a reading for a client at revision 5 of epoch 1.
struct ReadingsTests {
    private var readings = Readings()
    private let own = RevisionCursor(epoch: Epoch(rawValue: 1), revision: 5)
    private let time = Timestamp(milliseconds: 1000)

    private mutating func fetched(
        _ reading: SourceReading,
        wasThereBefore: Bool = false
    ) throws(ConfigError) -> FetchedState? {
        let mark = CacheMark(cursor: own, validators: SourceValidators(entityTag: "\"5\""))
        let known = (EntrySnapshot.empty, mark)
        return try readings.fetched(reading, after: known, of: "test", wasThereBefore: wasThereBefore, at: time)
    }

    private static func snapshot(_ epoch: UInt64, _ revision: UInt64) -> ServerSnapshot {
        let cursor = RevisionCursor(epoch: Epoch(rawValue: epoch), revision: revision)
        return ServerSnapshot(cursor: cursor, digest: ConfigDigest(), entries: [String: EntryValue]())
    }

    @Test(arguments: [(1, 4), (2, 9)]) mutating func outdatedSnapshotIsRefused(epoch: UInt64, revision: UInt64) throws {
        readings.needsWhole = true
        let whole = Self.snapshot(epoch, revision)
        let error = #expect(throws: ConfigError.self) { try fetched(SourceReading(.snapshot(whole))) }
        #expect(error?.code == .damaged && error?.source == "test")
        // The next request names the cursor, so that a server can confirm another epoch.
        #expect(readings.needsWhole == (epoch == 1))
        #expect(try fetched(SourceReading(.snapshot(whole, isReset: true)))?.isReset == true)
    }

    @Test mutating func unchangedReadingKeepsMarksAndTheProblemOfAPart() throws {
        let problem = ConfigError(.unreadable, "a file")
        let document = try ConfigDocument(values: ["a": 1])
        var reading = SourceReading(.document(document), validators: SourceValidators(entityTag: "\"6\""))
        reading.problem = problem
        #expect(
            try fetched(reading)?.mark.validators == nil,
            "everything is read again, so that the problem is not forgotten"
        )
        #expect(try fetched(SourceReading(.unchanged))?.mark.validators?.entityTag == "\"5\"")
        #expect(readings.partProblem == problem)
        _ = try fetched(SourceReading(.document(document)))
        #expect(readings.partProblem == nil)
    }

    @Test mutating func firstReadingIsAsOldAsItsDocument() throws {
        let modified = Timestamp(milliseconds: 10)
        let reading = SourceReading(.document(try ConfigDocument(values: ["a": 1])), modifiedAt: modified)
        #expect(try fetched(reading, wasThereBefore: true)?.time == modified)
        #expect(try fetched(reading)?.time == time)
    }

    @Test mutating func wholeStateIsReadWithoutACursor() {
        let mark = CacheMark(cursor: own)
        #expect(readings.position(at: mark) == SourcePosition(cursor: own))
        readings.needsWhole = true
        #expect(readings.position(at: mark) == SourcePosition(seen: own))
    }
}
