#if Etcd
    import ConfigModel
    import ConfigServer
    import ConfigStoreTesting
    import Synchronization
    import TestSupport

    /// A prefix of its own in a cluster.
    struct EtcdPlace: StorePlace {
        let etcd: RunningEtcd
        let prefix = "test-\(UInt64.random(in: .min ... .max))"
        var options = EtcdStore.Options()

        init(_ etcd: RunningEtcd) { self.etcd = etcd }

        /// The store that is kept here, as one server sees it.
        func store() -> EtcdStore {
            EtcdStore(address: address, options: options)
        }

        var address: EtcdAddress {
            EtcdAddress(members: etcd.members.map { .init(host: "127.0.0.1", port: $0.port) }, prefix: prefix)
        }

        func open(now: @escaping @Sendable () -> Timestamp) async throws -> any ConfigStore {
            var options = options
            options.now = now
            return EtcdStore(address: address, options: options)
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
#endif
