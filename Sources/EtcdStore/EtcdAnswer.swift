#if Etcd
    internal import ConfigModel

    /// The response to a transaction.
    struct EtcdAnswer: EtcdRecord {
        /// Whether all that was expected held.
        var succeeded = false
        /// The cluster and its revision.
        var header = EtcdHeader()
        /// What each operation has read: nothing if it reads nothing.
        var results: [Result] = []

        static let members: [EtcdMember<EtcdAnswer>] = [
            .member("header", \.header), .member("succeeded", \.succeeded), .member("responses", \.results),
        ]

        /// What an operation has read.
        struct Result: EtcdRecord {
            var range = Range()

            static let members: [EtcdMember<Result>] = [.member("response_range", \.range)]
        }

        /// The keys in a range.
        struct Range: EtcdRecord {
            /// The keys that were found, in their order.
            var pairs: [EtcdPair] = []
            /// Whether there are more than were asked for.
            var hasMore = false

            static let members: [EtcdMember<Range>] = [.member("kvs", \.pairs), .member("more", \.hasMore)]
        }

        /// The cluster's id.
        var cluster: UInt64 { header.cluster }
        /// etcd's own revision after the transaction, which is not Livery's.
        var revision: Int64 { header.revision }

        /// What the operation at this place has read.
        func pairs(_ index: Int) -> [EtcdPair] {
            results.indices.contains(index) ? results[index].range.pairs : []
        }
    }

    /// What every response begins with.
    struct EtcdHeader: EtcdRecord {
        /// etcd's own revision.
        var revision: Int64 = 0
        /// The cluster's id.
        var cluster: UInt64 = 0

        static let members: [EtcdMember<EtcdHeader>] = [
            .quoted("revision", \.revision), .quoted("cluster_id", \.cluster),
        ]
    }

    /// A key with its value.
    struct EtcdPair: EtcdRecord {
        /// The key in UTF-8.
        var keyBytes: [UInt8] = []
        /// The value.
        var value: [UInt8] = []
        /// etcd's revision that has changed it last.
        var revision: Int64 = 0

        static let members: [EtcdMember<EtcdPair>] = [
            .base64("key", \.keyBytes), .base64("value", \.value), .quoted("mod_revision", \.revision),
        ]

        /// The key.
        var key: String { String(decoding: keyBytes, as: UTF8.self) }
    }

    /// A line of a watch: `{"result": …}`, or `{"error": …}`, which ends the watch too.
    struct EtcdWatchMessage: EtcdRecord {
        private var result = Result()
        private var error: EtcdComplaint?

        static let members: [EtcdMember<EtcdWatchMessage>] = [
            .member("result", \.result), .optional("error", \.error),
        ]

        private struct Result: EtcdRecord {
            var header = EtcdHeader()
            var isCanceled = false
            var reason = ""
            var events: [Event] = []

            static let members: [EtcdMember<Result>] = [
                .member("header", \.header), .member("canceled", \.isCanceled), .member("cancel_reason", \.reason),
                .member("events", \.events),
            ]
        }

        private struct Event: EtcdRecord {
            var pair: EtcdPair?

            static let members: [EtcdMember<Event>] = [.optional("kv", \.pair)]
        }

        /// etcd's revision that the watch has reached.
        var revision: Int64 { result.header.revision }
        /// What was put, in order.
        var pairs: [EtcdPair] { result.events.compactMap(\.pair) }
        /// Whether the watch ends here.
        var isCanceled: Bool { error != nil || result.isCanceled }
        /// Why, where etcd gives a reason.
        var reason: String { error?.message ?? result.reason }
    }

    /// The response to a request that etcd refuses.
    struct EtcdComplaint: EtcdRecord {
        /// The gRPC code of the refusal.
        var code = 0
        /// The reason.
        var message = ""

        static let members: [EtcdMember<EtcdComplaint>] = [
            .member("code", \.code), .member("grpc_code", \.code), .member("message", \.message),
        ]

        /// Reads the body of a refusal; any other text is its own reason.
        init(body: [UInt8]) {
            self = (try? EtcdComplaint(json: body)) ?? EtcdComplaint(String(decoding: body.prefix(200), as: UTF8.self))
        }

        init() {}

        private init(_ message: String) { self.message = message }
    }

    /// The token that etcd gives to a user.
    struct EtcdToken: EtcdRecord {
        /// The token.
        var text = ""

        static let members: [EtcdMember<EtcdToken>] = [.member("token", \.text)]
    }
#endif
