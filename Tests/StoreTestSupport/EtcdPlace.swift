// SPDX-License-Identifier: Apache-2.0

#if Etcd
    package import ConfigModel
    package import ConfigStore
    internal import ConfigStoreTesting
    package import EtcdStore
    internal import Foundation
    package import Logging
    package import TestSupport

    /// A separate prefix in a cluster.
    package struct EtcdPlace: StorePlace {
        package var address: EtcdAddress
        package var options = EtcdEntryStore.Options()
        package var password: StorePassword?
        package var logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

        /// - Parameter first: the member that is asked first.
        package init(_ etcd: RunningEtcd, prefix: String = "test-\(UInt64.random(in: .min ... .max))", first: Int = 0) {
            let members = etcd.members[first...] + etcd.members[..<first]
            address = EtcdAddress(members: members.map { .init(host: "127.0.0.1", port: $0.port) }, prefix: prefix)
        }

        /// The same, as it is reached through another port.
        package init(port: Int, of place: EtcdPlace) {
            self = place
            address.members = [.init(host: "127.0.0.1", port: port)]
        }

        /// The store that is kept here, as one server has it, loaded.
        package func opened() async throws -> EtcdEntryStore {
            let store = store()
            _ = try await store.load()
            return store
        }

        /// The store that is kept here, as one server has it.
        package func store() -> EtcdEntryStore {
            EtcdEntryStore(address: address, password: password, options: options, logger: logger)
        }

        package func open(now: @escaping @Sendable () -> Timestamp) async throws -> any EntryStore {
            var place = self
            place.options.now = now
            return place.store()
        }

        package func close(_ store: any EntryStore) async throws {}
    }

    /// A cluster that tests share which do it no harm: started when one asks for it, and ended when none has it.
    package actor SharedEtcd {
        /// One member.
        package static let single = SharedEtcd(members: 1)
        /// Three members.
        package static let cluster = SharedEtcd(members: 3)

        private let members: Int
        private weak var running: RunningEtcd?
        private var starting: Task<RunningEtcd, any Error>?

        private init(members: Int) { self.members = members }

        package func started() async throws -> RunningEtcd {
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

    extension EtcdMember {
        /// Adds users with a password and a permission for the prefix `config`, and requires a user from now on.
        package func enableUsers(_ users: [(name: String, password: String, permission: String)]) throws {
            let (start, end) = ("/config/".base64, "/config0".base64)
            var requests = [
                ("user/add", #"{"name":"root","password":"root"}"#), ("role/add", #"{"name":"root"}"#),
                ("user/grant", #"{"user":"root","role":"root"}"#),
            ]
            for (name, password, permission) in users {
                let range = #"{"permType":"\#(permission)","key":"\#(start)","range_end":"\#(end)"}"#
                let quoted = EntryValue.string(password).canonicalJSON
                requests += [
                    ("user/add", #"{"name":"\#(name)","password":\#(quoted)}"#), ("role/add", #"{"name":"\#(name)"}"#),
                    ("user/grant", #"{"user":"\#(name)","role":"\#(name)"}"#),
                    ("role/grant", #"{"name":"\#(name)","perm":\#(range)}"#),
                ]
            }
            for (path, json) in requests + [("enable", "{}")] { try ask("/v3/auth/\(path)", json) }
        }
    }

    extension String {
        /// The text as etcd's gateway takes bytes.
        package var base64: String { Data(utf8).base64EncodedString() }
    }
#endif
