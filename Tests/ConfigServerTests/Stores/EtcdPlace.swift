#if Etcd
    import ConfigModel
    import ConfigServer
    import ConfigStore
    import ConfigStoreTesting
    import EtcdStore
    import Foundation
    import TestSupport

    /// A prefix of its own in a cluster.
    struct EtcdPlace: StorePlace {
        var address: EtcdAddress
        var options = EtcdStore.Options()
        var password: StorePassword?

        /// - Parameter first: the member that is asked first.
        init(_ etcd: RunningEtcd, prefix: String = "test-\(UInt64.random(in: .min ... .max))", first: Int = 0) {
            let members = etcd.members[first...] + etcd.members[..<first]
            address = EtcdAddress(members: members.map { .init(host: "127.0.0.1", port: $0.port) }, prefix: prefix)
        }

        /// The same, as it is reached through another port.
        init(port: Int, of place: EtcdPlace) {
            self = place
            address.members = [.init(host: "127.0.0.1", port: port)]
        }

        /// The store that is kept here, as one server has it, loaded.
        func opened() async throws -> EtcdStore {
            let store = store()
            _ = try await store.load()
            return store
        }

        /// The store that is kept here, as one server has it.
        func store() -> EtcdStore {
            EtcdStore(address: address, password: password, options: options)
        }

        func open(now: @escaping @Sendable () -> Timestamp) async throws -> any ConfigStore {
            var place = self
            place.options.now = now
            return place.store()
        }

        func close(_ store: any ConfigStore) async throws {}
    }

    /// A cluster that tests share which do it no harm: started when one asks for it, and ended when none has it.
    actor SharedEtcd {
        /// One member.
        static let single = SharedEtcd(members: 1)
        /// Three members.
        static let cluster = SharedEtcd(members: 3)

        private let members: Int
        private weak var running: RunningEtcd?
        private var starting: Task<RunningEtcd, any Error>?

        private init(members: Int) { self.members = members }

        func started() async throws -> RunningEtcd {
            if let running { return running }
            let members = members
            let task = starting ?? Task { try await onDedicatedThread { try RunningEtcd(members: members) } }
            starting = task
            defer { starting = nil }
            let etcd = try await task.value
            running = etcd
            return etcd
        }
    }

    extension ConfigStore {
        /// Commits values, `nil` for those to take away, as one publish.
        @discardableResult
        func edit(
            _ values: [String: ConfigValue?],
            in namespace: String = "default",
            if conditions: [Publish.Condition] = []
        ) async throws -> PublishOutcome {
            let publish = Publish(namespace: namespace, change: .edit(values), conditions: conditions)
            return try await commit([publish]).first ?? .unchanged
        }
    }

    extension String {
        /// The text as etcd's gateway takes bytes.
        var base64: String { Data(utf8).base64EncodedString() }
    }
#endif
