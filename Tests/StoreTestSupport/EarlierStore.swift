// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
package import ConfigStore
internal import Foundation
internal import TestSupport
internal import Testing

/// Stores of 10,000 keys in two namespaces that the version before the schemas has written: by 21 publishes, and then one that
/// changed 100 keys, one that removed 100, and one that made 50 of those again.
package enum EarlierStore {
    /// The bytes of a store as its database keeps them: `livery.sqlite`, `mariadb.sql`, `etcd.jsonl`.
    package static func bytes(of name: String) throws -> String {
        let file = URL(filePath: #filePath).deletingLastPathComponent().path + "/EarlierStores/\(name).gz"
        return try Command("gzip", ["-dc", file]).run(deadline: .seconds(60)).standardOutput
    }

    /// Writes the bytes of a store to a file.
    package static func write(_ name: String, to path: String) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().path + "/EarlierStores/\(name).gz"
        let output = try Command("sh", ["-c", #"exec gzip -dc "$0" >"$1""#, file, path]).run(deadline: .seconds(60))
        try #require(output.status == .exited(0), "\(output.standardError)")
    }

    private static func written(_ number: Int) -> EntryValue {
        switch number % 5 {
        case 0: .integer(number)
        case 1: .string("value \(number)")
        case 2: .double(Double(number) / 2 + 0.25)
        case 3: .boolean(number % 2 == 0)
        default: [.integer(number), .integer(number + 1)]
        }
    }

    /// The values of each namespace as they were written last.
    private static let values: [String: [String: EntryValue]] = {
        var values: [String: [String: EntryValue]] = ["default": [:], "shop": [:]]
        for number in 0..<5050 where !(150..<200).contains(number) {
            let value = number < 100 ? "changed" : number < 150 ? "again" : written(number)
            values["default"]?["key.\(number)"] = value
        }
        for number in 5050..<10_050 { values["shop"]?["key.\(number)"] = written(number) }
        return values
    }()

    /// Opens such a store, and checks that nothing is lost, that it says that it was upgraded, and that it then does what this
    /// version can.
    ///
    /// - Parameter open: the store, as another server opens it each time, which has not been loaded.
    package static func check<Store: ConfigStore>(_ open: () async throws -> Store, close: (Store) async throws -> Void)
        async throws
    {
        var store = try await open()
        let contents = try await store.load()
        #expect(contents.wasUpgraded)
        #expect(contents.namespaces.mapValues { $0.entries.mapValues(\.value) } == values)
        #expect(contents.head.revision == 23)
        let born = try #require(contents.namespaces["default"]?.entries["key.0"])
        #expect(born.revision == 21 && born.createdAt < born.updatedAt)
        let removed = try await store.history(HistoryQuery(of: "default", key: "key.120", limit: 10))
        #expect(removed.map(\.value) == ["again", nil, written(120)])
        #expect(removed.last?.message == "from 0")

        let publish = Publish(
            namespace: "default",
            change: .edit(["schema:key.0": ["type": "object"], "key.0": ["a": [["b": .null]]]])
        )
        #expect(try await store.commit([publish]).first?.commit != nil)
        let back = try await store.commit([Publish(namespace: "default", change: .rollback(to: 20))])
        #expect(back.first?.commit?.changes.count == 201)
        try await close(store)

        store = try await open()
        let reopened = try await store.load()
        #expect(!reopened.wasUpgraded)
        var expected = values
        for number in 0..<200 { expected["default"]?["key.\(number)"] = written(number) }
        #expect(reopened.namespaces.mapValues { $0.entries.mapValues(\.value) } == expected)
        try await close(store)
    }
}
