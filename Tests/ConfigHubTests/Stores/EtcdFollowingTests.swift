// SPDX-License-Identifier: Apache-2.0

#if Etcd
    import ConfigHub
    import ConfigModel
    import ConfigStore
    import EtcdStore
    import HashTreeCollections
    import HubTestSupport
    import Observing
    import StoreTestSupport
    import TestSupport
    import Testing

    /// The commits of other servers that one server receives, whatever happens to etcd's members.
    @Suite(.serialized, .timeLimit(.minutes(5)))
    struct EtcdFollowingTests {
        @Test
        func aWatchThatSleepsThroughACompactionMissesNothing() async throws {
            let etcd = try await onDedicatedThread { try RunningEtcd(members: 3) }
            let place = EtcdPlace(etcd)
            let sleeper = try await onDedicatedThread { try Self.follower(of: etcd) }
            var sleeping = place
            sleeping.address.members = [.init(host: "127.0.0.1", port: etcd.members[sleeper].port)]
            var awake = place
            awake.address.members.remove(at: sleeper)
            try await withHub(awake.store()) { writer in
                try await withHub(sleeping.store()) { reader in
                    let seen = Log<UInt64>()
                    let stop = reader.observe { seen.append($0.revision) }
                    try await writer.edit(["key": .integer(-1)])
                    _ = await reader.waitUntil("default", reaches: 1, atMost: .seconds(60))
                    etcd.members[sleeper].pause()
                    for step in 0..<200 { try await writer.edit(["key": .integer(step)]) }
                    try await onDedicatedThread { try Self.compact(etcd.members[(sleeper + 1) % 3]) }
                    try await writer.edit(["after": .boolean(true)])
                    etcd.members[sleeper].resume()
                    let state = await reader.waitUntil("default", reaches: 202, atMost: .seconds(100))
                    #expect(state?.digest == writer.state(of: "default")?.digest)
                    #expect(zip(seen.entries, seen.entries.dropFirst()).allSatisfy { $0 < $1 })
                    // Nothing had to be loaded again: every change was received.
                    #expect(state?.changes(after: 1)?.values.upserts.count == 2)
                    stop()
                }
            }
            withExtendedLifetime(etcd) {}
        }

        @Test
        func theLossOfTheLeaderUnderLoadLosesNothing() async throws {
            let etcd = try await onDedicatedThread { try RunningEtcd(members: 3) }
            let place = EtcdPlace(etcd)
            try await withHub(place.store()) { writer in
                try await withHub(EtcdPlace(etcd, prefix: place.address.prefix, first: 1).store()) { reader in
                    let losses = Log<String>()
                    let acknowledged = try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask {
                            defer { losses.append("over") }
                            try await onDedicatedThread { try Self.loseLeaders(etcd, of: writer) }
                        }
                        var acknowledged: [UInt64: Int] = [:]
                        var step = 0
                        while losses.entries.isEmpty, !Task.isCancelled {
                            step += 1
                            // A write whose answer is unknown was made or not; the next one shows which.
                            guard let commit = try? await writer.edit(["key": .integer(step)]).commit else { continue }
                            acknowledged[commit.revision] = step
                        }
                        try await group.waitForAll()
                        return acknowledged
                    }
                    let last = try #require(acknowledged.keys.max())
                    _ = await reader.waitUntil("default", reaches: last, atMost: .seconds(100))
                    try await until { reader.head == writer.head }
                    let query = HistoryQuery(of: "default", limit: Int(reader.head?.revision ?? 0))
                    let history = try await reader.history(query)
                    #expect(history.map(\.revision) == Array((1...UInt64(history.count)).reversed()))
                    let values = Dictionary(uniqueKeysWithValues: history.map { ($0.revision, $0.value) })
                    for (revision, step) in acknowledged { #expect(values[revision] == .integer(step)) }
                    #expect(reader.state(of: "default")?.digest == writer.state(of: "default")?.digest)
                }
            }
            withExtendedLifetime(etcd) {}
        }

        @Test
        func aStoreThatWasEmptiedBeginsANewEpoch() async throws {
            try await withSingleMember { etcd, prefix, hub in
                try await hub.edit(["key": .integer(1)])
                let before = try #require(hub.head)
                try await onDedicatedThread {
                    let range = #"{"key":"\#((prefix + "/").base64)","range_end":"\#((prefix + "0").base64)"}"#
                    try etcd.members[0].ask("/v3/kv/deleterange", range)
                }
                try await until { hub.head.map { $0.epoch != before.epoch } ?? false }
                #expect(try hub.values().isEmpty)
                #expect(try await hub.edit(["key": .integer(2)]).commit?.revision == 1)
            }
        }

        @Test
        func restoredStoreBeginsANewEpoch() async throws {
            try await withSingleMember { etcd, prefix, hub in
                for step in 1...3 { try await hub.edit(["key": .integer(step)]) }
                let before = try #require(hub.head)
                // As after a snapshot of etcd was restored: the head of an earlier time, and no log after it.
                try await onDedicatedThread {
                    let (log, last) = (prefix + "/log/0000000000000003", prefix + "/log/0000000000000004")
                    let head = """
                        {"version":4,"epoch":"\(before.epoch)","revision":2,"updated_at":2,"next_id":2,"log_bytes":9,\
                        "cluster":"\(try Self.clusterID(etcd))"}
                        """
                    let operations = """
                        {"success":[{"request_delete_range":{"key":"\(log.base64)","range_end":"\(last.base64)"}},\
                        {"request_put":{"key":"\((prefix + "/head").base64)","value":"\(head.base64)"}}]}
                        """
                    try etcd.members[0].ask("/v3/kv/txn", operations)
                }
                try await until { hub.head.map { $0.epoch != before.epoch } ?? false }
                #expect(hub.head?.revision == 2)
                #expect(try hub.values() == ["key": .integer(2)])
            }
        }

        /// Runs a hub on a prefix of the shared member.
        private func withSingleMember(
            _ body: (RunningEtcd, _ prefix: String, NamespaceHub) async throws -> Void
        ) async throws {
            let etcd = try await SharedEtcd.single.started()
            let place = EtcdPlace(etcd)
            try await withHub(place.store()) { hub in try await body(etcd, "/\(place.address.prefix)", hub) }
            withExtendedLifetime(etcd) {}
        }

        private static func clusterID(_ etcd: RunningEtcd) throws -> String {
            let header = try etcd.members[0].ask("/v3/maintenance/status", "{}")["header"] as? [String: Any]
            return try #require(header?["cluster_id"] as? String)
        }

        private static func follower(of etcd: RunningEtcd) throws -> Int {
            let leader = try etcd.leader().port
            return etcd.members.firstIndex { $0.port != leader } ?? 0
        }

        private static func compact(_ member: EtcdMember) throws {
            let header = try member.ask("/v3/maintenance/status", "{}")["header"] as? [String: Any]
            let revision = try #require(header?["revision"] as? String)
            try member.ask("/v3/kv/compaction", #"{"revision":"\#(revision)","physical":true}"#)
        }

        /// Kills whoever leads, twice while commits are made, and starts it again; once it only pauses.
        private static func loseLeaders(_ etcd: RunningEtcd, of hub: NamespaceHub) throws {
            for revision in [60, 140] {
                try until("commits") { hub.head?.revision ?? 0 >= revision }
                let leader = try etcd.leader()
                try leader.kill()
                let reached = hub.head?.revision ?? 0
                try until("commits without it") { hub.head?.revision ?? 0 > reached + 20 }
                try leader.start()
                try leader.waitUntilHealthy()
            }
            let leader = try etcd.leader()
            leader.pause()
            let reached = hub.head?.revision ?? 0
            defer { leader.resume() }
            try until("commits past it") { hub.head?.revision ?? 0 > reached + 5 }
        }
    }
#endif
