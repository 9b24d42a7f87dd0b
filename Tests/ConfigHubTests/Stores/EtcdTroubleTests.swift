// SPDX-License-Identifier: Apache-2.0

#if Etcd
    import ConfigHub
    import ConfigModel
    import ConfigStore
    import EtcdStore
    import Foundation
    import HashTreeCollections
    import HubTestSupport
    import StoreTestSupport
    import TestSupport
    import Testing

    /// The reports and actions of a server when etcd rejects requests, and its recovery.
    @Suite(.timeLimit(.minutes(5)))
    struct EtcdTroubleTests {
        @Test
        func usersHaveTheirPrefixAndNeedTheirPassword() async throws {
            let etcd = try await onDedicatedThread {
                let etcd = try RunningEtcd()
                try etcd.members[0].enableUsers([("livery", "pass \"word\" 😸", "READWRITE")])
                return etcd
            }
            var place = EtcdPlace(etcd, prefix: "config")
            let anonymous = try await Self.refusal(place)
            #expect(anonymous.contains("the user or the password"))
            place.address.user = "livery"
            place.password = StorePassword("wrong-password")
            let wrong = try await Self.refusal(place)
            #expect(wrong.contains("the user or the password") && !wrong.contains("wrong-password"))
            place.password = StorePassword("pass \"word\" 😸")
            var elsewhere = place
            elsewhere.address.prefix = "elsewhere"
            #expect(try await Self.refusal(elsewhere).contains("grant the user readwrite"))

            try await withHub(place.store()) { hub in
                try await hub.edit(["key": .integer(1)])
                #expect(await hub.problem() == nil)
                // A member that is started again knows no tokens any more.
                try await onDedicatedThread { try etcd.members[0].restart() }
                #expect(try await hub.edit(["key": .integer(2)]).commit?.revision == 2)
                let other = try await place.opened()
                try await other.edit(["key": .integer(3)])
                let state = await hub.waitUntil("default", reaches: 3, atMost: .seconds(60))
                #expect(state?.entries["key"]?.value == .integer(3))
            }
            withExtendedLifetime(etcd) {}
        }

        @Test
        func aUserIsNotNeededWhereEtcdKnowsNone() async throws {
            let etcd = try await SharedEtcd.single.started()
            var place = EtcdPlace(etcd)
            place.address.user = "livery"
            place.password = StorePassword("password")
            #expect(try await place.opened().edit(["key": .integer(1)]).commit?.revision == 1)
            withExtendedLifetime(etcd) {}
        }

        @Test
        func withoutMostMembersThereIsNoWritingUntilTheyAreBack() async throws {
            let etcd = try await onDedicatedThread { try RunningEtcd(members: 3) }
            let store = try await EtcdPlace(etcd).opened()
            try await store.edit(["key": .integer(1)])
            #expect(await store.problem() == nil)
            try await onDedicatedThread { for member in etcd.members[1...] { try member.kill() } }
            let problem = try #require(await store.problem())
            #expect(problem.code == .unavailable)
            #expect(problem.message.contains("majority of its members are running"))
            let error = await #expect(throws: StoreError.self) { try await store.edit(["key": .integer(2)]) }
            #expect([.unavailable, .uncertain].contains(error?.code))
            try await onDedicatedThread {
                for member in etcd.members[1...] { try member.start() }
                for member in etcd.members { try member.waitUntilHealthy() }
            }
            #expect(await store.problem() == nil)
            #expect(try await store.edit(["key": .integer(3)]).commit != nil)
            let history = try await store.history(HistoryQuery(of: "default", key: "key", limit: 9))
            #expect(history.first?.value == .integer(3))
            withExtendedLifetime(etcd) {}
        }

        @Test
        func unreachableMemberIsNamed() async throws {
            let port = try freePorts(1)[0]
            let address = EtcdAddress(members: [.init(host: "127.0.0.1", port: port)])
            let error = await #expect(throws: StoreError.self) { try await EtcdEntryStore(address: address).load() }
            #expect(error?.code == .unavailable)
            #expect(error?.message.contains("127.0.0.1:\(port)") == true)
        }

        @Test
        func exhaustedQuotaIsReportedUntilFreed() async throws {
            let etcd = try await onDedicatedThread { try RunningEtcd(arguments: ["--quota-backend-bytes", "4000000"]) }
            let (store, others) = (
                try await EtcdPlace(etcd).opened(), try await EtcdPlace(etcd, prefix: "others").opened()
            )
            try await store.edit(["key": .integer(1)])
            let text = String(repeating: "x", count: 60_000)
            for step in 0..<200 where (try? await others.edit(["key": .string("\(step)" + text)])) == nil { break }
            let error = await #expect(throws: StoreError.self) { try await store.edit(["key": .integer(2)]) }
            #expect(error?.code == .full)
            let problem = try #require(await store.problem())
            #expect(problem.code == .full)
            #expect(problem.message.contains("etcdctl alarm disarm"))
            #expect(try await store.load().head.revision == 1)
            try await onDedicatedThread { try Self.makeRoom(etcd.members[0]) }
            #expect(await store.problem() == nil)
            #expect(try await store.edit(["key": .integer(3)]).commit?.revision == 2)
            withExtendedLifetime(etcd) {}
        }

        @Test
        func changesThatAreTooLargeTogetherAreMadeApart() async throws {
            let etcd = try await SharedEtcd.single.started()
            let value = EntryValue.string(String(repeating: "x", count: 65_000))
            try await withHub(try await EtcdPlace(etcd).opened()) { hub in
                let commits = try await withThrowingTaskGroup(of: Commit?.self) { group in
                    for number in 0..<60 { group.addTask { try await hub.edit(["large.\(number)": value]).commit } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(Set(commits.compactMap { $0?.revision }) == Set(1...60))
            }
            withExtendedLifetime(etcd) {}
        }

        /// The error when a store cannot be loaded.
        private static func refusal(_ place: EtcdPlace) async throws -> String {
            let error = await #expect(throws: StoreError.self) { try await place.store().load() }
            #expect(error?.code == .unavailable)
            return try #require(error?.message)
        }

        /// Removes what others have stored, and lets etcd free the space.
        private static func makeRoom(_ member: EtcdMember) throws {
            let range = #"{"key":"\#("/others/".base64)","range_end":"\#("/others0".base64)"}"#
            let header = try member.ask("/v3/kv/deleterange", range)["header"] as? [String: Any]
            let revision = try #require(header?["revision"] as? String)
            try member.ask("/v3/kv/compaction", #"{"revision":"\#(revision)","physical":true}"#)
            try member.ask("/v3/maintenance/defragment", "{}")
            let alarms = try member.ask("/v3/maintenance/alarm", "{}")["alarms"] as? [[String: String]] ?? []
            let full = try #require(alarms.first?["memberID"])
            let disarm = #"{"action":"DEACTIVATE","alarm":"NOSPACE","memberID":"\#(full)"}"#
            try member.ask("/v3/maintenance/alarm", disarm)
        }
    }
#endif
