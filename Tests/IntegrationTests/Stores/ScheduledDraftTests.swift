// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import TestSupport
import Testing

/// Drafts that become due while servers are killed, started again and paused.
@Suite(.dedicatedThread, .serialized, .timeLimit(.minutes(20)))
struct ScheduledDraftTests {
    /// The number of drafts. Set `LIVERY_DRAFT_SCHEDULES=200` for a long run.
    private static let count = ProcessInfo.processInfo.environment["LIVERY_DRAFT_SCHEDULES"].flatMap { Int($0) } ?? 40
    /// The time between the first draft and the last one, in milliseconds.
    private static let span = Int64(count) * 50
    /// The maximum delay, in milliseconds: the promised one in a long run, which has the machine to itself.
    private static let limit: Int64 = count < 200 ? 30_000 : 2000

    @Test func oneServerAppliesWhatIsDueWhenItIsStartedAgain() throws {
        let folder = try TemporaryDirectory()
        let replicas = try Replicas(1, on: folder["livery.sqlite"])
        let drafts = try Self.schedule(on: replicas.all[0])
        var started = Timestamp.now
        try Self.eachSecond(until: drafts.end) { _ in
            try replicas.restart(0, by: SIGKILL)
            started = .now
        }
        // While no server runs, nothing is applied.
        try Self.check(drafts, on: replicas.all[0], startedAt: started)
    }

    #if MariaDB
        @Test func serversOnMariaDBApplyWhatIsDueOnce() throws {
            let database = try RunningMariaDB()
            try Self.applyOnce(on: database.address(of: try database.makeDatabase()))
        }
    #endif

    #if Etcd
        @Test func serversOnEtcdApplyWhatIsDueOnce() throws {
            let etcd = try RunningEtcd(members: 3)
            try Self.applyOnce(on: "etcd://\(etcd.places)/livery")
            withExtendedLifetime(etcd) {}
        }
    #endif

    /// Three servers, of which one is killed and another one paused in each second.
    private static func applyOnce(on store: String) throws {
        let replicas = try Replicas(3, on: store)
        let drafts = try schedule(on: replicas.all[0])
        try eachSecond(until: drafts.end) { second in
            let end = ContinuousClock.now + .milliseconds(600)
            replicas.all[second % 3].send(signal: SIGKILL)
            try replicas.pause((second + 1) % 3) { .now > end }
            try replicas.restart(second % 3, by: SIGKILL)
        }
        try check(drafts, on: replicas.all[0], startedAt: Timestamp(milliseconds: 0))
    }

    private struct Scheduled {
        /// In the order in which they are due.
        var drafts: [(instant: Timestamp, id: String)] = []
        var end: Timestamp { (drafts.last?.instant ?? .now) }
    }

    /// Proposes the drafts, in any order and two at each instant: again and later if the first instants have passed by then.
    private static func schedule(on server: RunningServer) throws -> Scheduled {
        var lead = Int64(count) * 30 + 2000
        while true {
            if let scheduled = try schedule(on: server, in: lead) { return scheduled }
            lead *= 2
        }
    }

    /// - Returns: `nil` if an instant has passed; no draft is open then.
    private static func schedule(on server: RunningServer, in lead: Int64) throws -> Scheduled? {
        let start = Timestamp.now.later(by: lead)
        var scheduled = Scheduled()
        for number in (0..<count).shuffled() {
            let instant = start.later(by: span * Int64(number / 2 * 2) / Int64(count))
            var request = DraftRequest()
            (request.title, request.applyAt, request.set) = ("scheduled", instant.description, ["k\(number)": 1])
            let answer = try server.ask(
                "POST",
                "/v1/default/drafts",
                body: String(decoding: request.json, as: UTF8.self)
            )
            if answer.text.contains("invalid-time") {
                for draft in scheduled.drafts {
                    _ = try server.ask("POST", "/v1/default/drafts/\(draft.id)/close", body: "{}")
                }
                return nil
            }
            try #require(answer.status == 201, "\(answer.text)")
            scheduled.drafts.append((instant, try DraftMessage(json: answer.body).summary.id))
        }
        scheduled.drafts.sort { ($0.instant, $0.id) < ($1.instant, $1.id) }
        return scheduled
    }

    private static func eachSecond(until end: Timestamp, _ body: (_ second: Int) throws -> Void) throws {
        var second = 0
        while Timestamp.now < end {
            let next = ContinuousClock.now + .seconds(1)
            try body(second)
            try TestSupport.until("the next second") { .now >= next }
            second += 1
        }
    }

    /// - Parameter started: when the last server was started, if there is none beside it.
    private static func check(_ scheduled: Scheduled, on server: RunningServer, startedAt started: Timestamp) throws {
        func list(_ state: String) throws -> [DraftSummary] {
            let answer = try server.ask("GET", "/v1/default/drafts?state=\(state)&limit=1000")
            return try DraftList(json: answer.body).drafts
        }
        try until("all drafts are applied", lastState: server.output) { try list("open").isEmpty }
        let revisions = Dictionary(uniqueKeysWithValues: try list("applied").map { ($0.id, $0.revision) })
        let inOrder = scheduled.drafts.compactMap { revisions[$0.id] ?? nil }
        #expect(inOrder.count == count && zip(inOrder, inOrder.dropFirst()).allSatisfy { $0 < $1 }, "the order is kept")
        let answer = try server.ask("GET", "/v1/default/history?limit=1000")
        let history = try HistoryMessage(json: answer.body).records
        #expect(history.map(\.revision).sorted() == inOrder, "each draft makes one revision")
        #expect(Set(history.map(\.key)).count == count)
        let times = Dictionary(uniqueKeysWithValues: history.map { ($0.revision, $0.updatedAt) })
        var latest: Int64 = 0
        for (draft, revision) in zip(scheduled.drafts, inOrder) {
            let time = try #require(times[revision])
            #expect(time >= draft.instant, "none is early")
            latest = max(latest, time.milliseconds - max(draft.instant, started).milliseconds)
        }
        #expect(latest <= limit, "the latest draft was applied \(latest) ms after its time")
        print("\(count) drafts over \(span) ms, the latest \(latest) ms after its time")
    }
}

extension Timestamp {
    fileprivate static var now: Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }

    fileprivate func later(by milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: self.milliseconds + milliseconds)
    }
}
