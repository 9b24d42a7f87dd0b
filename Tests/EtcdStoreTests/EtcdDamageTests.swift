// SPDX-License-Identifier: Apache-2.0

#if Etcd
    import ConfigModel
    import ConfigStore
    @testable import EtcdStore
    import StoreTestSupport
    import TestSupport
    import Testing

    /// Numbers that no store writes.
    @Suite(.timeLimit(.minutes(5)))
    struct EtcdDamageTests {
        private static let heads = [
            ("revision", -1), ("revision", Int.max), ("updated_at", Int.max), ("updated_at", 253_402_300_800_000),
            ("next_id", Int.max), ("next_id", -1), ("log_bytes", Int.max), ("log_bytes", -1), ("version", Int.max),
            ("version", 3),
        ]

        private static func head(_ member: String, _ number: Int) -> String {
            var numbers = ["version": 4, "revision": 1, "updated_at": 5, "next_id": 1, "log_bytes": 0]
            numbers[member] = number
            let members = numbers.map { #""\#($0)":\#($1)"# }.joined(separator: ",")
            return #"{"epoch":"38196c8dc278326a",\#(members),"cluster":"1"}"#
        }

        @Test(arguments: heads)
        func aHeadThatNoStoreReachesIsDamage(member: String, number: Int) async throws {
            let etcd = try await SharedEtcd.single.started()
            let place = EtcdPlace(etcd)
            let running = try await place.opened()
            try await running.edit(["key": 1])
            let (key, head) = ("/\(place.address.prefix)/head".base64, Self.head(member, number).base64)
            try etcd.members[0].ask("/v3/kv/put", #"{"key":"\#(key)","value":"\#(head)"}"#)
            for attempt in [{ _ = try await place.opened() }, { _ = try await running.edit(["key": 2]) }] {
                let error = await #expect(throws: StoreError.self) { try await attempt() }
                #expect(error?.code == .damaged)
                let cause = number == 3 ? "another version of livery-server; install that" : "'\(member)'"
                #expect(error?.message.contains(cause) == true, "\(error?.message ?? "")")
            }
            withExtendedLifetime(etcd) {}
        }

        @Test(arguments: [
            ("offset", -1), ("offset", Int.max), ("next_id", Int.max), ("revision", 0), ("revision", Int.max),
            ("previous", -1), ("updated_at", Int.max), ("id", -7), ("created_at", Int.max),
        ])
        func aRecordWithOtherNumbersIsDamage(member: String, number: Int) throws {
            let change = EtcdChange(key: "a", value: 1, id: 7, createdAt: Timestamp(milliseconds: 7))
            var revision = EtcdRevision(revision: 7, updatedAt: Timestamp(milliseconds: 7), namespace: "n", previous: 7)
            revision.changes = [change]
            let json = String(decoding: EtcdBatch(offset: 7, nextID: 7, revisions: [revision]).json, as: UTF8.self)
            let damaged = json.replacing(#""\#(member)":7"#, with: #""\#(member)":\#(number)"#)
            try #require(damaged != json)
            #expect(throws: ConfigError.self) { try EtcdBatch(json: Array(damaged.utf8)) }
        }
    }
#endif
