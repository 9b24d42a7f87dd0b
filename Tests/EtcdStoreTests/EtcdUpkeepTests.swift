// SPDX-License-Identifier: Apache-2.0

#if Etcd
    import ConfigModel
    @testable import EtcdStore
    import ConfigStore
    import InMemoryLogging
    import Logging
    import StoreTestSupport
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(5)))
    struct EtcdUpkeepTests {
        /// Uses a prefix of a member, with stores that write a snapshot early, and keep so much history at least.
        private static func use(
            snapshotBytes: Int = 100,
            historyBytes: Int? = nil,
            revisions: UInt64? = nil,
            _ body: (EtcdPlace, RunningEtcd) async throws -> Void
        ) async throws {
            let etcd = try await SharedEtcd.single.started()
            var place = EtcdPlace(etcd)
            place.options.snapshotBytes = snapshotBytes
            if let historyBytes { place.options.historyBytes = historyBytes }
            if let revisions { (place.options.history.revisions, place.options.history.age) = (revisions, .zero) }
            try await body(place, etcd)
            withExtendedLifetime(etcd) {}
        }

        @Test
        func fromASnapshotTheSameIsLoaded() async throws {
            try await Self.use(snapshotBytes: 2_000) { place, etcd in
                let store = try await place.opened()
                for step in 0..<60 {
                    try await store.edit([
                        "key\(step % 7)": .integer(step), "gone": step % 2 == 0 ? .integer(step) : nil,
                    ])
                    if step % 11 == 0 {
                        try await store.edit(["other": .integer(step)], in: "n\(step % 3)")
                        try await store.keepUp()
                        #expect(try await place.store().load() == (try await store.load()))
                    }
                }
                // The snapshot that was replaced has left nothing behind.
                let prefix = "/\(place.address.prefix)/parts"
                let range = #"{"key":"\#((prefix + "/").base64)","range_end":"\#((prefix + "0").base64)"}"#
                let count = try await onDedicatedThread {
                    try etcd.members[0].ask("/v3/kv/range", range)["count"] as? String
                }
                #expect(count == "1")
            }
        }

        @Test
        func historyEndsWhereItNeedNotBeKept() async throws {
            try await Self.use(revisions: 10) { place, _ in
                let store = try await place.opened()
                for step in 1...50 { try await store.edit(["key": .integer(step), "k\(step)": .integer(step)]) }
                let before = try await store.load()
                // The first writes the snapshot that the second goes by.
                for _ in 0..<2 { try await store.keepUp() }
                let history = try await store.history(HistoryQuery(of: "default", key: "key", limit: 100))
                #expect(history.map(\.revision) == Array((41...50).reversed()))
                #expect(try await store.values(in: "default", at: 39) == nil)
                #expect(try await store.values(in: "default", at: 40)?.count == 11)
                #expect(try await place.store().load() == before)
                let early = Publish(namespace: "default", change: .rollback(to: 39))
                #expect(try await store.commit([early]) == [.unknownRevision(39)])
                let late = Publish(namespace: "default", change: .rollback(to: 40))
                #expect(try await store.commit([late]).first?.commit?.changes.count == 11)
            }
        }

        @Test
        func historyTakesNoMoreBytesThanItMay() async throws {
            try await Self.use(historyBytes: 4_000) { place, _ in
                let store = try await place.opened()
                for step in 1...50 { try await store.edit(["key": .integer(step)]) }
                for _ in 0..<2 { try await store.keepUp() }
                let history = try await store.history(HistoryQuery(of: "default", limit: 100))
                #expect((5..<30).contains(history.count))
                #expect(history.last?.revision == 51 - UInt64(history.count))
            }
        }

        @Test
        func serverReloadsWhenHistoryWasPruned() async throws {
            try await Self.use(revisions: 5) { place, _ in
                let (awake, asleep) = (try await place.opened(), try await place.opened())
                for step in 1...40 { try await awake.edit(["key": .integer(step)]) }
                for _ in 0..<2 { try await awake.keepUp() }
                let error = await #expect(throws: StoreError.self) { try await asleep.edit(["other": .integer(1)]) }
                #expect(error?.code == .uncertain)
                #expect(try await asleep.load().head.revision == 40)
                #expect(try await asleep.edit(["other": .integer(1)]).commit?.revision == 41)
            }
        }

        @Test func partsCountTheBytesOfNamespaces() throws {
            var state = EtcdState(head: EtcdHead())
            for number in 0..<10_000 {
                var namespace = EtcdState.Namespace(revision: UInt64(number))
                if number % 10 == 0 {
                    let (id, time) = (Int64(number + 1), Timestamp(milliseconds: 1_700_000_000_000))
                    namespace.set(
                        StoredEntry(id: id, value: "x", revision: 1, createdAt: time, updatedAt: time),
                        forKey: "key"
                    )
                }
                state.namespaces["emptied-by-a-test-that-makes-many-of-them-\(number)"] = namespace
            }
            var copy = EtcdState(head: EtcdHead())
            for part in EtcdParts(of: state, bytes: 100_000) {
                #expect(part.count <= 101_000)
                copy.add(try EtcdPart(json: part))
            }
            #expect(copy.contents == state.contents)
        }

        @Test func partsOfFailedAttemptsAreRemoved() async throws {
            try await Self.use { place, etcd in
                var place = place
                let patient = try await place.opened()
                place.options.leftoverAge = .zero
                let store = try await place.opened()
                try await store.edit(["key": .string(String(repeating: "x", count: 200))])
                try await store.keepUp()
                let prefix = "/\(place.address.prefix)/parts/"
                let snapshots = try await Self.keys(prefix, in: etcd)
                #expect(snapshots.count == 1)
                // Of an attempt at a later revision, by a server that has been killed.
                for part in 0..<3 {
                    let key = "\(prefix)00000000000000ff-0123456789abcdef/000000000000000\(part)".base64
                    try etcd.members[0].ask("/v3/kv/put", #"{"key":"\#(key)","value":"e30="}"#)
                }
                // It may still be at work.
                try await patient.keepUp()
                #expect(try await Self.keys(prefix, in: etcd).count == 4)
                try await store.keepUp()
                #expect(try await Self.keys(prefix, in: etcd) == snapshots)
                #expect(try await place.store().load() == (try await store.load()))
            }
        }

        @Test func pruningContinuesWhileSnapshotsFail() async throws {
            let etcd = try await onDedicatedThread { try RunningEtcd(arguments: ["--max-request-bytes", "100000"]) }
            var place = EtcdPlace(etcd)
            place.options.snapshotBytes = 100
            (place.options.history.revisions, place.options.history.age) = (10, .zero)
            let log = InMemoryLogHandler()
            place.logger = Logger(label: "test") { _ in log }
            let store = try await place.opened()
            for step in 1...30 { try await store.edit(["key": .integer(step)]) }
            try await store.keepUp()
            // Each fits, but not the part with all of them.
            for step in 1...10 {
                try await store.edit(["large.\(step)": .string(String(repeating: "x", count: 40_000))])
            }
            for _ in 0..<2 {
                let error = await #expect(throws: StoreError.self) { try await store.keepUp() }
                #expect(error?.code == .tooLarge)
            }
            #expect(try await store.history(HistoryQuery(of: "default", key: "key", limit: 100)).count == 0)
            #expect(try await Self.keys("/\(place.address.prefix)/parts/", in: etcd).count == 1)
            // Logged once, however often it fails.
            let failures = log.entries.filter {
                $0.message.description.hasPrefix("store maintenance failed (snapshot): etcd at")
            }
            #expect(failures.map(\.level) == [.error])
            withExtendedLifetime(etcd) {}
        }

        /// The keys with a prefix.
        private static func keys(_ prefix: String, in etcd: RunningEtcd) async throws -> [String] {
            let range =
                #"{"key":"\#(prefix.base64)","range_end":"\#((prefix.dropLast() + "0").base64)","keys_only":true}"#
            return try await onDedicatedThread {
                let pairs = try etcd.members[0].ask("/v3/kv/range", range)["kvs"] as? [[String: Any]] ?? []
                return pairs.compactMap { $0["key"] as? String }
            }
        }

        @Test
        func etcdIsCompactedLate() {
            var compaction = EtcdMoments(age: .seconds(60))
            let start = ContinuousClock.now
            #expect(compaction.due(10, at: start) == nil)
            #expect(compaction.due(10, at: start + .seconds(59)) == nil)
            #expect(compaction.due(20, at: start + .seconds(61)) == 10)
            #expect(compaction.due(30, at: start + .seconds(62)) == nil)
            #expect(compaction.due(30, at: start + .seconds(200)) == 30)
            #expect(compaction.due(30, at: start + .seconds(300)) == nil)
            var never = EtcdMoments(age: nil)
            #expect(never.due(10, at: start) == nil)
            #expect(never.due(20, at: start + .seconds(86_400)) == nil)
        }
    }
#endif
