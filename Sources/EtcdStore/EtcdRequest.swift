#if Etcd
    internal import ConfigModel
    internal import Foundation

    /// A transaction as etcd's JSON gateway expects it: the conditions, what to do if they hold, and what to do otherwise.
    ///
    /// Every request about keys is one: a read is a transaction without conditions.
    struct EtcdRequest: Hashable, Sendable {
        /// An operation on keys.
        enum Operation: Hashable, Sendable {
            /// Reads keys in their order.
            case range(EtcdRange, limit: Int = 0, revision: Int64 = 0, keysOnly: Bool = false)
            /// Sets a key to a value.
            case put(key: String, value: [UInt8])
            /// Removes keys.
            case delete(EtcdRange)
        }

        /// For each key the revision of etcd that must have changed it last; 0 if the key must not exist.
        var expected: [String: Int64] = [:]
        /// What to do if all of that holds, atomically.
        var operations: [Operation] = []
        /// What to do otherwise.
        var otherwise: [Operation] = []
    }

    /// Consecutive keys.
    struct EtcdRange: Hashable, Sendable {
        /// The first key.
        var start: String
        /// The first key after the range; `nil` for a range of one key.
        var end: String?

        /// One key.
        static func key(_ key: String) -> EtcdRange { EtcdRange(start: key, end: nil) }

        /// All keys from one on, below another.
        static func keys(from start: String, below end: String) -> EtcdRange { EtcdRange(start: start, end: end) }
    }

    extension EtcdRequest {
        /// The request's body. Bytes are in base64, and numbers of 64 bits are strings, as Protocol Buffers have it.
        var json: [UInt8] {
            var json = JSONWriter()
            json.object { object in
                if !expected.isEmpty { object.member("compare") { writeConditions(to: &$0) } }
                object.member("success") { Self.write(operations, to: &$0) }
                if !otherwise.isEmpty { object.member("failure") { Self.write(otherwise, to: &$0) } }
            }
            return json.bytes
        }

        private func writeConditions(to json: inout JSONWriter) {
            json.array { array in
                for (key, revision) in expected.sorted(by: { $0.key < $1.key }) {
                    array.object { object in
                        object.member("key") { $0.base64(key.utf8) }
                        object.member("target") { $0.string("MOD") }
                        object.member("mod_revision") { $0.string(String(revision)) }
                    }
                }
            }
        }

        private static func write(_ operations: [Operation], to json: inout JSONWriter) {
            json.array { array in
                for operation in operations {
                    array.object { object in operation.write(to: &object) }
                }
            }
        }
    }

    extension EtcdRequest.Operation {
        fileprivate func write(to json: inout JSONWriter) {
            switch self {
            case .range(let range, let limit, let revision, let keysOnly):
                json.member("request_range") { member in
                    member.object { object in
                        object.members(of: range)
                        if limit > 0 { object.member("limit") { $0.string(String(limit)) } }
                        if revision > 0 { object.member("revision") { $0.string(String(revision)) } }
                        if keysOnly { object.member("keys_only") { $0.boolean(true) } }
                    }
                }
            case .put(let key, let value):
                json.member("request_put") { member in
                    member.object { object in
                        object.member("key") { $0.base64(key.utf8) }
                        object.member("value") { $0.base64(value) }
                    }
                }
            case .delete(let range):
                json.member("request_delete_range") { member in
                    member.object { $0.members(of: range) }
                }
            }
        }
    }

    extension JSONWriter {
        /// Writes bytes as a string in base64.
        mutating func base64(_ bytes: some Collection<UInt8>) {
            string(Data(bytes).base64EncodedString())
        }

        /// Writes a range's first key and its end.
        mutating func members(of range: EtcdRange) {
            member("key") { $0.base64(range.start.utf8) }
            if let end = range.end { member("range_end") { $0.base64(end.utf8) } }
        }
    }
#endif
