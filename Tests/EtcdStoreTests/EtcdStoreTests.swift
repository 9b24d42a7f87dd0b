// SPDX-License-Identifier: Apache-2.0

#if Etcd
    import ConfigModel
    import ConfigStore
    import ConfigStoreTesting
    import EtcdStore
    import Foundation
    import StoreTestSupport
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(5)))
    struct EtcdStoreTests {
        /// Each store sends its requests to one of the members, mostly to a follower.
        @Test(arguments: StoreLaw.all + StoreLaw.shared)
        func threeMembersKeep(_ law: StoreLaw) async throws {
            let etcd = try await SharedEtcd.cluster.started()
            try await law.check(in: EtcdPlace(etcd, first: .random(in: 0...2)))
            withExtendedLifetime(etcd) {}
        }

        @Test
        func prefixesThatBeginAlikeAreApart() async throws {
            let etcd = try await SharedEtcd.single.started()
            let base = "apart-\(UInt64.random(in: .min ... .max))"
            let prefixes = ["", "/b", "b", "/log", "/parts", "/head"].map { base + $0 }
            let stores = try await prefixes.asyncMap { try await EtcdPlace(etcd, prefix: $0).opened() }
            for (number, store) in stores.enumerated() {
                for step in 0...number { try await store.edit(["a": .integer(number), "n": .integer(step)]) }
            }
            var epochs: Set<Epoch> = []
            for (number, store) in stores.enumerated() {
                let contents = try await store.load()
                #expect(contents.head.revision == UInt64(number + 1))
                #expect(contents.namespaces["default"]?.entries["a"]?.value == .integer(number))
                epochs.insert(contents.head.epoch)
            }
            #expect(epochs.count == stores.count)
            withExtendedLifetime(etcd) {}
        }

        @Test
        func aChangeOverTheLimitIsRefusedWithItsSize() async throws {
            let etcd = try await SharedEtcd.single.started()
            let store = try await EtcdPlace(etcd).opened()
            let error = await #expect(throws: StoreError.self) { try await store.edit(Self.large(30)) }
            #expect(error?.code == .tooLarge)
            #expect(error?.message.contains("etcd accepts at most 1571840 per") == true)
            #expect(try await store.load().head.revision == 0)
            // A publish that fits is accepted, as one revision.
            #expect(try await store.edit(Self.large(23)).commit?.revision == 1)
            withExtendedLifetime(etcd) {}
        }

        @Test
        func requestsTooLargeForEtcdAreRejected() async throws {
            let etcd = try await onDedicatedThread { try RunningEtcd(arguments: ["--max-request-bytes", "100000"]) }
            let store = try await EtcdPlace(etcd).opened()
            let error = await #expect(throws: StoreError.self) { try await store.edit(Self.large(5)) }
            #expect(error?.code == .tooLarge)
            #expect(try await store.edit(Self.large(1)).commit?.revision == 1)
            withExtendedLifetime(etcd) {}
        }

        @Test
        func anAnswerThatIsLostOnTheWayIsFoundOut() async throws {
            let etcd = try await SharedEtcd.single.started()
            let direct = EtcdPlace(etcd)
            let proxy = try Mover(
                before: [etcd.members[0].port],
                seed: 3,
                cuttingAt: "POST",
                oneOf: 3,
                isCutting: false
            )
            let (store, other) = (try await EtcdPlace(port: proxy.port, of: direct).opened(), try await direct.opened())
            proxy.begin()
            var made: [UInt64: Int] = [:]
            for step in 0..<200 {
                let revision = try #require(try await store.edit(["key": .integer(step)]).commit?.revision)
                made[revision] = step
                if step % 7 == 0 { try await other.edit(["other": .integer(step)]) }
            }
            #expect(proxy.cutCount > 40)
            let history = try await other.history(HistoryQuery(of: "default", key: "key", limit: 1_000))
            #expect(history.count == 200)
            for record in history { #expect(made[record.revision].map(EntryValue.integer) == record.value) }
            withExtendedLifetime(etcd) {}
        }

        @Test
        func manyEntriesAreLoadedInPagesFromLogAndSnapshot() async throws {
            let etcd = try await SharedEtcd.single.started()
            let place = EtcdPlace(etcd)
            let store = try await place.opened()
            for part in 0..<10 {
                let keys = (0..<3_000).map { "some.key.\(part).\($0)" }
                try await store.edit(Dictionary(uniqueKeysWithValues: keys.map { ($0, .string("value of \($0)")) }))
            }
            let before = try await store.load()
            #expect(before.namespaces["default"]?.entries.count == 30_000)
            try await store.keepUp()
            try await store.edit(["some.key.7.7": nil])
            let after = try await place.store().load()
            #expect(after.head.revision == 11)
            #expect(after.namespaces["default"]?.entries.count == 29_999)
            #expect(after.namespaces["default"]?.entries["some.key.3.3"]?.revision == 4)
            withExtendedLifetime(etcd) {}
        }

        /// Values of 65 kB.
        private static func large(_ count: Int) -> [String: EntryValue?] {
            let value = EntryValue.string(String(repeating: "x", count: 65_000))
            return Dictionary(uniqueKeysWithValues: (0..<count).map { ("large.\($0)", value) })
        }
    }

    extension Sequence {
        fileprivate func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
            var values: [Value] = []
            for element in self { values.append(try await body(element)) }
            return values
        }
    }
#endif
