// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import ConfigModel
    internal import Foundation

    /// A transaction as etcd's JSON gateway expects it. Every request about keys is one: a read is a transaction without
    /// conditions.
    struct EtcdRequest: Sendable {
        enum Operation: Sendable {
            /// Reads keys in order; a limit of 0 means no limit, and a revision of 0 the current one.
            case range(EtcdRange, limit: Int = 0, revision: Int64 = 0, keysOnly: Bool = false)
            case put(key: String, value: [UInt8])
            case delete(EtcdRange)
        }

        /// For each key the revision of etcd that must have changed it last; 0 if the key must not exist.
        var expected: [String: Int64] = [:]
        /// The operations if all comparisons succeed, as one atomic step.
        var operations: [Operation] = []
        /// The operations otherwise.
        var otherwise: [Operation] = []

        /// The request's body. Bytes are in base64, and numbers of 64 bits are strings, as Protocol Buffers have it.
        var json: [UInt8] {
            JSONWriter.object { object in
                object.member("compare", each: expected.sorted { $0.key < $1.key }) { condition, array in
                    array.object { object in
                        object.base64("key", condition.key.utf8)
                        object.member("target") { $0.string("MOD") }
                        object.quoted("mod_revision", condition.value)
                    }
                }
                object.member("success", each: operations) { $0.write(to: &$1) }
                object.member("failure", each: otherwise) { $0.write(to: &$1) }
            }
        }
    }

    /// Consecutive keys.
    struct EtcdRange: Sendable {
        var start: String
        /// The first key after the range; empty for a range of one key.
        var end = ""

        static func key(_ key: String) -> EtcdRange { EtcdRange(start: key) }
    }

    extension EtcdRequest.Operation {
        fileprivate func write(to json: inout JSONWriter) {
            json.object { object in
                switch self {
                case .range(let range, let limit, let revision, let keysOnly):
                    object.object("request_range") { object in
                        object.members(of: range)
                        object.quoted("limit", limit)
                        object.quoted("revision", revision)
                        object.member("keys_only") { $0.boolean(keysOnly) }
                    }
                case .put(let key, let value):
                    object.object("request_put") { object in
                        object.base64("key", key.utf8)
                        object.base64("value", value)
                    }
                case .delete(let range):
                    object.object("request_delete_range") { $0.members(of: range) }
                }
            }
        }
    }

    extension JSONWriter {
        mutating func object(_ name: String, _ writeMembers: (inout JSONWriter) -> Void) {
            member(name) { $0.object(writeMembers) }
        }

        mutating func base64(_ name: String, _ bytes: some Collection<UInt8>) {
            member(name) { $0.string(Data(bytes).base64EncodedString()) }
        }

        mutating func quoted(_ name: String, _ number: some BinaryInteger) {
            member(name) { $0.string(String(number)) }
        }

        mutating func members(of range: EtcdRange) {
            base64("key", range.start.utf8)
            if !range.end.isEmpty { base64("range_end", range.end.utf8) }
        }
    }

    /// The response to a transaction.
    struct EtcdAnswer: EtcdRecord {
        /// Whether all comparisons succeeded.
        var succeeded = false
        var header = Header()
        /// The results of the operations; empty for operations that read nothing.
        var results: [Result] = []

        static let members: [EtcdMember<EtcdAnswer>] = [
            .member("header", \.header), .member("succeeded", \.succeeded), .member("responses", \.results),
        ]

        struct Header: EtcdRecord {
            /// etcd's own revision after the transaction, which is not Livery's.
            var revision: Int64 = 0
            var cluster: UInt64 = 0

            static let members: [EtcdMember<Header>] = [
                .quoted("revision", \.revision), .quoted("cluster_id", \.cluster),
            ]
        }

        struct Result: EtcdRecord {
            var range = Range()

            static let members: [EtcdMember<Result>] = [.member("response_range", \.range)]
        }

        struct Range: EtcdRecord {
            /// The keys that were found, in their order.
            var pairs: [EtcdPair] = []
            /// Whether more keys match than the limit.
            var hasMore = false

            static let members: [EtcdMember<Range>] = [.member("kvs", \.pairs), .member("more", \.hasMore)]
        }

        /// The result of the range operation at this index.
        func range(_ index: Int) -> Range { results.indices.contains(index) ? results[index].range : Range() }
    }

    /// A key with its value.
    struct EtcdPair: EtcdRecord {
        var keyBytes: [UInt8] = []
        var value: [UInt8] = []
        /// etcd's revision that has changed it last.
        var revision: Int64 = 0

        static let members: [EtcdMember<EtcdPair>] = [
            .base64("key", \.keyBytes), .base64("value", \.value), .quoted("mod_revision", \.revision),
        ]

        var key: String { String(decoding: keyBytes, as: UTF8.self) }
    }

    /// A line of a watch: `{"result": …}`, or `{"error": …}`, which ends the watch too.
    struct EtcdWatchMessage: EtcdRecord {
        private var result = Result()
        private var error: EtcdErrorResponse?

        static let members: [EtcdMember<EtcdWatchMessage>] = [.member("result", \.result), .optional("error", \.error)]

        private struct Result: EtcdRecord {
            var isCanceled = false
            var reason = ""
            var events: [Event] = []

            static let members: [EtcdMember<Result>] = [
                .member("canceled", \.isCanceled), .member("cancel_reason", \.reason), .member("events", \.events),
            ]
        }

        private struct Event: EtcdRecord {
            var pair: EtcdPair?

            static let members: [EtcdMember<Event>] = [.optional("kv", \.pair)]
        }

        /// The pairs that were put, in order.
        var pairs: [EtcdPair] { result.events.compactMap(\.pair) }
        var isCanceled: Bool { error != nil || result.isCanceled }
        /// The reason for the end of the watch, if etcd has one.
        var reason: String { error?.message ?? result.reason }
    }

    /// The response to a request that etcd refuses.
    struct EtcdErrorResponse: EtcdRecord {
        /// The gRPC code of the refusal.
        var code = 0
        var message = ""

        static let members: [EtcdMember<EtcdErrorResponse>] = [
            .member("code", \.code), .member("grpc_code", \.code), .member("message", \.message),
        ]

        /// Reads the body of a refusal; any other text is its own reason.
        static func body(_ bytes: [UInt8]) -> EtcdErrorResponse {
            (try? EtcdErrorResponse(json: bytes))
                ?? EtcdErrorResponse(message: String(decoding: bytes.prefix(200), as: UTF8.self))
        }
    }

    /// The token that etcd issues to a user.
    struct EtcdToken: EtcdRecord {
        var text = ""

        static let members: [EtcdMember<EtcdToken>] = [.member("token", \.text)]
    }
#endif
