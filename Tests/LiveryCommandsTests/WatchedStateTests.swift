// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigModel
import ConfigRules
import ConfigWire
import RemoteConfigTesting
import TestSupport
import Testing

@testable import LiveryCommands
@testable import RemoteConfig

struct WatchedStateTests {
    private static let epoch = Epoch(rawValue: 7)
    private static let time = Timestamp(milliseconds: 1_000_000)

    private static func state(
        _ values: [String: EntryValue],
        at revision: UInt64,
        of epoch: Epoch = epoch,
        after former: EntrySnapshot = .empty,
        phase: SourceStatus.Phase = .streaming,
        problem: ConfigError? = nil
    ) throws -> ConfigState.Snapshot {
        let digest = ConfigDigest(values.map { ($0.key, $0.value) })
        let cursor = RevisionCursor(epoch: epoch, revision: revision)
        let whole = ServerSnapshot(cursor: cursor, digest: digest, entries: values)
        var status = SourceStatus(source: "s")
        (status.phase, status.problem, status.lastChangeAt) = (phase, problem, time)
        return ConfigState.Snapshot(
            snapshot: try former.updated(with: whole, from: "s", at: time).snapshot,
            status: status
        )
    }

    @Test func changeReportsTheOldValue() throws {
        let start = try Self.state(["a": .integer(1), "c": .integer(3)], at: 3)
        let next = try Self.state(["b": .integer(2), "c": .integer(3)], at: 4, after: start.snapshot)
        var watched = WatchedState(start.snapshot)
        let news = watched.update(next)
        let expected = ConfigDiff([
            KeyChange(key: "a", old: .integer(1), new: nil), KeyChange(key: "b", old: nil, new: .integer(2)),
        ])
        #expect(news.diff == expected)
        #expect(news.since?.revision == 3)
        #expect(news.revision == 4)
        #expect(news.receivedAt == Self.time)
        #expect(watched.update(next).diff.isEmpty)
    }

    @Test(.timeLimit(.minutes(1))) func changesForAUserComeByValueRuleAndTime() async throws {
        let clock = TestClock()
        let isEarly: EntryValue = [
            "<": [["var": "$flagd.timestamp"], .integer(Int(clock.date.milliseconds / 1000) + 60)]
        ]
        func rule(_ targeting: EntryValue) -> EntryValue { ["variants": ["a": 1, "b": 2], "targeting": targeting] }
        let source = TestSource(["limit": 0, "title": "Hi"], rules: ["limit": rule(["if": [isEarly, "a", "b"]])])
        let service = RemoteConfigService(
            source: source,
            context: EvaluationContext(targetingKey: "ada"),
            notificationCenter: nil,
            clock: clock
        )
        try await service.running {
            var watched = WatchedState(service.state.current.snapshot, isOfContext: true)
            await source.publish(["limit": 5])
            #expect(watched.update(service.state.current).diff.isEmpty, "the user does not get it")
            await source.publish(["title": "Hello"])
            let changes = watched.update(service.state.current).diff.changes
            #expect(changes == [KeyChange(key: "title", old: "Hi", new: "Hello")])
            clock.advance(by: .seconds(60))
            try await until("the time has passed") { service.value(forKey: "limit", default: 0) == 2 }
            let news = watched.update(service.state.current)
            #expect(news.diff.changes == [KeyChange(key: "limit", old: 1, new: 2)])
            #expect(news.receivedAt == clock.date)
            await source.publish(rules: ["limit": rule(["if": [true, "a"]])])
            let last = watched.update(service.state.current).diff.changes
            #expect(last == [KeyChange(key: "limit", old: 2, new: 1)])
        }
    }

    @Test func startOfTheHistoryIsThatOfNoUser() throws {
        #expect(throws: (any Error).self) {
            try WatchCommand.parse(["--since", "3", "--context", "user=42"])
        }
        let command = try WatchCommand.parse(["app.", "--context", "user=42", "--context", "language=es"])
        #expect(try command.audience.context == EvaluationContext(targetingKey: "42", ["language": "es"]))
    }

    @Test func onlyEventsOfACaughtUpStreamAreFresh() throws {
        let start = try Self.state(["a": .integer(0)], at: 3)
        var watched = WatchedState(start.snapshot)
        var last = start
        func change(_ phase: SourceStatus.Phase) throws -> WatchedState.News {
            let revision = (last.snapshot.cursor?.revision ?? 0) + 1
            last = try Self.state(["a": .integer(Int(revision))], at: revision, after: last.snapshot, phase: phase)
            return watched.update(last)
        }
        #expect(try !change(.streaming).isFresh, "it may have been made before the stream began")
        #expect(try change(.streaming).isFresh)
        #expect(try !change(.polling).isFresh)
        #expect(try !change(.streaming).isFresh)
        #expect(try change(.streaming).isFresh)
        last.status.phase = .offline
        _ = watched.update(last)
        last.status.phase = .streaming
        _ = watched.update(last)
        #expect(try !change(.streaming).isFresh)
    }

    @Test func errorIsReportedOnce() throws {
        let gone = ConfigError(.unreachable, "gone")
        let start = try Self.state([:], at: 0)
        var watched = WatchedState(start.snapshot)
        let lost = try Self.state([:], at: 0, phase: .offline, problem: gone)
        #expect(watched.update(lost).problem == gone)
        #expect(watched.update(lost).problem == nil)
        #expect(watched.update(start).problem == nil)
        #expect(watched.update(lost).problem == gone)
    }

    private static func record(_ key: String, _ revision: UInt64) -> HistoryRecord {
        HistoryRecord(key, nil, at: revision)
    }

    @Test func theLastRecordOfEachKeyCounts() {
        var search = HistorySearch(for: ["a", "b"], after: RevisionCursor(epoch: Self.epoch, revision: 3), through: 8)
        #expect(search.nextBefore == 9)
        search.add(HistoryMessage(records: [Self.record("a", 9), Self.record("a", 8), Self.record("c", 7)], next: 7))
        #expect(search.nextBefore == 7)
        var schema = Self.record("b", 6)
        schema.kind = .schema
        search.add(HistoryMessage(records: [schema, Self.record("a", 6), Self.record("b", 5)], next: 5))
        #expect(search.nextBefore == nil)
        #expect(search.found.mapValues(\.revision) == ["a": 8, "b": 5])
    }

    @Test func searchEndsAtAKnownRevision() {
        var search = HistorySearch(for: ["a", "b"], after: RevisionCursor(epoch: Self.epoch, revision: 3), through: 8)
        search.add(HistoryMessage(records: [Self.record("a", 5), Self.record("b", 3)], next: 3))
        #expect(search.nextBefore == nil)
        #expect(search.found.mapValues(\.revision) == ["a": 5])
        var endless = HistorySearch(for: ["a"], after: nil, through: 100_000)
        for page in 0..<10 {
            #expect(endless.nextBefore != nil)
            endless.add(HistoryMessage(records: [Self.record("b", 90_000)], next: 80_000 - UInt64(page)))
        }
        #expect(endless.nextBefore == nil)
    }

    @Test(arguments: [
        ([], "x", true), (["a"], "a", true), (["a"], "a.b", false), (["a."], "a.b", true), (["a."], "a", false),
    ])
    func keysAreChosenWholeOrByTheirBeginning(filters: [String], key: String, isWanted: Bool) {
        #expect(WatchCommand.isWanted(key, by: filters) == isWanted)
    }
}
