// SPDX-License-Identifier: Apache-2.0

#if Etcd
    import ConfigModel
    import ConfigStore
    import EtcdStore
    import StoreTestSupport
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(5)))
    struct EtcdHistoryTests {
        @Test func readsOnlyTheRecordsOfTheNamespace() async throws {
            let etcd = try await SharedEtcd.single.started()
            let direct = EtcdPlace(etcd)
            let proxy = try Mover(before: [etcd.members[0].port], seed: 1)
            let (store, other) = (try await direct.opened(), try await EtcdPlace(port: proxy.port, of: direct).opened())
            try await store.edit(["key": "old"], in: "quiet")
            let text = String(repeating: "x", count: 60_000)
            for step in 0..<50 { try await store.edit(["key": .string("\(step)" + text)]) }
            try await store.edit(["key": "new"], in: "quiet")
            for step in 0..<50 { try await store.edit(["key": .string("\(step)" + text)]) }
            try await until("the commits to arrive") {
                try await other.edit(["key": "here"], in: "own").commit != nil
            }
            // Each record of the other namespace takes 120 kB; the log begins with one of this namespace.
            let before = proxy.answerBytes
            #expect(try await other.values(in: "quiet", at: 1) == ["key": "old"])
            let history = try await other.history(HistoryQuery(of: "quiet", limit: 10))
            #expect(history.map(\.value) == ["new", "old"])
            let rollback = Publish(namespace: "quiet", change: .rollback(to: 1))
            #expect(try await other.commit([rollback]).first?.commit?.changes["key"]??.value == "old")
            #expect(proxy.answerBytes - before < 1_000_000)
            withExtendedLifetime(etcd) {}
        }

        @Test func largeRecordsAreReadInSmallerPages() async throws {
            let etcd = try await SharedEtcd.single.started()
            let place = EtcdPlace(etcd)
            let store = try await place.opened()
            let text = String(repeating: "x", count: 65_000)
            for step in 0..<40 {
                let keys = (0..<10).map { ("key.\($0)", EntryValue?.some(.string("\(step)" + text))) }
                try await store.edit(Dictionary(keys) { $1 })
            }
            // More than fits into one response.
            #expect(try await place.opened().head()?.revision == 40)
            #expect(try await store.values(in: "default", at: 1)?["key.3"] == .string("0" + text))
            let history = try await store.history(HistoryQuery(of: "default", key: "key.3", limit: 100))
            #expect(history.map(\.revision) == (1...40).reversed())
            withExtendedLifetime(etcd) {}
        }
    }
#endif
