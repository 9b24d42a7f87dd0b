#if Etcd
    internal import ConfigModel
    internal import Foundation

    /// What etcd answers to a transaction.
    struct EtcdAnswer: Hashable, Sendable {
        /// Whether all that was expected was so.
        var succeeded = false
        /// The cluster's id.
        var cluster: UInt64 = 0
        /// etcd's own revision after the transaction, which is not Livery's.
        var revision: Int64 = 0
        /// For each operation what it has read: nothing if it reads nothing.
        var results: [Result] = []

        /// What an operation has read.
        struct Result: Hashable, Sendable {
            /// The keys that were found, in their order.
            var pairs: [EtcdPair] = []
            /// Whether there are more than were asked for.
            var hasMore = false
        }

        /// What the operation at this place has read.
        func pairs(_ index: Int) -> [EtcdPair] {
            results.indices.contains(index) ? results[index].pairs : []
        }
    }

    /// A key with its value.
    struct EtcdPair: Hashable, Sendable {
        /// The key.
        var key = ""
        /// The value.
        var value: [UInt8] = []
        /// etcd's revision that has changed it last.
        var revision: Int64 = 0
    }

    /// A line of a watch.
    struct EtcdWatchMessage: Hashable, Sendable {
        /// etcd's revision that the watch has reached.
        var revision: Int64 = 0
        /// What has been put, in order.
        var pairs: [EtcdPair] = []
        /// Whether the watch ends here.
        var isCanceled = false
        /// Why, where etcd says so.
        var reason = ""
    }

    extension EtcdAnswer {
        /// Reads the answer's body.
        init(json: [UInt8]) throws(ConfigError) {
            try json.withObject { (name, scanner) throws(ConfigError) in
                switch name {
                case "header": try readHeader(&scanner)
                case "succeeded": succeeded = try scanner.value() == .boolean(true)
                case "responses":
                    try scanner.array { (scanner) throws(ConfigError) in
                        var result = Result()
                        try scanner.object { (_, scanner) throws(ConfigError) in result = try Result(&scanner) }
                        results.append(result)
                    }
                default: try scanner.skipValue()
                }
            }
        }

        private mutating func readHeader(_ scanner: inout JSONScanner) throws(ConfigError) {
            try scanner.object { (name, scanner) throws(ConfigError) in
                switch name {
                case "revision": revision = try scanner.quotedNumber()
                case "cluster_id": cluster = try scanner.quotedNumber()
                default: try scanner.skipValue()
                }
            }
        }
    }

    extension EtcdAnswer.Result {
        fileprivate init(_ scanner: inout JSONScanner) throws(ConfigError) {
            try scanner.object { (name, scanner) throws(ConfigError) in
                switch name {
                case "kvs":
                    try scanner.array { (scanner) throws(ConfigError) in pairs.append(try EtcdPair(&scanner)) }
                case "more": hasMore = try scanner.value() == .boolean(true)
                default: try scanner.skipValue()
                }
            }
        }
    }

    extension EtcdPair {
        fileprivate init(_ scanner: inout JSONScanner) throws(ConfigError) {
            try scanner.object { (name, scanner) throws(ConfigError) in
                switch name {
                case "key": key = String(decoding: try scanner.base64(), as: UTF8.self)
                case "value": value = try scanner.base64()
                case "mod_revision": revision = try scanner.quotedNumber()
                default: try scanner.skipValue()
                }
            }
        }
    }

    extension EtcdWatchMessage {
        /// Reads a line: `{"result": …}`, or `{"error": …}`, which ends the watch too.
        init(json: [UInt8]) throws(ConfigError) {
            try json.withObject { (name, scanner) throws(ConfigError) in
                if name == "error" {
                    isCanceled = true
                    reason = try EtcdComplaint(&scanner).message
                } else {
                    try readResult(&scanner)
                }
            }
        }

        private mutating func readResult(_ scanner: inout JSONScanner) throws(ConfigError) {
            try scanner.object { (name, scanner) throws(ConfigError) in
                switch name {
                case "header":
                    try scanner.object { (name, scanner) throws(ConfigError) in
                        if name == "revision" { revision = try scanner.quotedNumber() } else { try scanner.skipValue() }
                    }
                case "canceled": isCanceled = try scanner.value() == .boolean(true)
                case "cancel_reason": reason = try scanner.text()
                case "events":
                    try scanner.array { (scanner) throws(ConfigError) in try readEvent(&scanner) }
                default: try scanner.skipValue()
                }
            }
        }

        private mutating func readEvent(_ scanner: inout JSONScanner) throws(ConfigError) {
            try scanner.object { (name, scanner) throws(ConfigError) in
                if name == "kv" { pairs.append(try EtcdPair(&scanner)) } else { try scanner.skipValue() }
            }
        }
    }

    /// What etcd says when it refuses something.
    struct EtcdComplaint: Hashable, Sendable {
        /// The kind of refusal as gRPC numbers it.
        var code = 0
        /// The reason.
        var message = ""

        /// Reads the body of a refusal; what is none is its own reason.
        init(json: [UInt8]) {
            if var scanner = try? JSONScanner(json), let complaint = try? EtcdComplaint(&scanner) {
                self = complaint
            } else {
                message = String(decoding: json.prefix(200), as: UTF8.self)
            }
        }

        fileprivate init(_ scanner: inout JSONScanner) throws(ConfigError) {
            try scanner.object { (name, scanner) throws(ConfigError) in
                switch name {
                case "code", "grpc_code": code = Int(try scanner.revision())
                case "message": message = try scanner.text()
                default: try scanner.skipValue()
                }
            }
        }
    }

    /// The token that etcd gives to a user.
    struct EtcdToken: Hashable, Sendable {
        /// The token.
        var text = ""

        /// Reads the answer's body.
        init(json: [UInt8]) throws(ConfigError) {
            try json.withObject { (name, scanner) throws(ConfigError) in
                if name == "token" { text = try scanner.text() } else { try scanner.skipValue() }
            }
        }
    }

    extension [UInt8] {
        /// Reads these bytes as one JSON object.
        func withObject(
            _ readMember: (_ name: String, _ scanner: inout JSONScanner) throws(ConfigError) -> Void
        ) throws(ConfigError) {
            var scanner = try JSONScanner(self)
            try scanner.object(readMember)
        }
    }

    extension JSONScanner {
        /// Reads a number of 64 bits, which is a string.
        mutating func quotedNumber<Number: FixedWidthInteger>() throws(ConfigError) -> Number {
            let text = try text()
            guard let number = Number(text) else { throw unexpected("a number in quotes") }
            return number
        }

        /// Reads bytes from a string in base64.
        mutating func base64() throws(ConfigError) -> [UInt8] {
            let text = try text()
            guard let data = Data(base64Encoded: text) else { throw unexpected("bytes in base64") }
            return [UInt8](data)
        }
    }
#endif
