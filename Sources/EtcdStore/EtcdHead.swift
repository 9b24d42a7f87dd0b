#if Etcd
    internal import ConfigModel

    /// What the store is at: put by each commit, which expects the one before it.
    struct EtcdHead: Hashable, Sendable {
        /// The epoch and the highest revision.
        var cursor: Cursor
        /// When the highest revision was made.
        var updatedAt: Timestamp
        /// The id that the next new entry gets.
        var nextID: Int64
        /// The bytes of all records that the log has ever had.
        var logBytes: Int
        /// The cluster of etcd that this was written in: another one holds a copy.
        var cluster: UInt64
    }

    extension EtcdHead {
        /// The form that this program writes. One that it does not know is left alone.
        static let version: UInt64 = 1

        /// The head of a store that has nothing in it.
        init(epoch: Epoch, cluster: UInt64) {
            self.init(
                cursor: Cursor(epoch: epoch, revision: 0),
                updatedAt: Timestamp(milliseconds: 0),
                nextID: 1,
                logBytes: 0,
                cluster: cluster
            )
        }

        var json: [UInt8] {
            var json = JSONWriter()
            json.object { object in
                object.member("version") { $0.number(Self.version) }
                object.member("epoch") { $0.string(cursor.epoch.description) }
                object.member("revision") { $0.number(cursor.revision) }
                object.member("updated_at") { $0.number(updatedAt.milliseconds) }
                object.member("next_id") { $0.number(nextID) }
                object.member("log_bytes") { $0.number(logBytes) }
                object.member("cluster") { $0.string(String(cluster)) }
            }
            return json.bytes
        }

        init(json: [UInt8]) throws(ConfigError) {
            self.init(epoch: Epoch(rawValue: 0), cluster: 0)
            var found: Epoch?
            try json.withObject { (name, scanner) throws(ConfigError) in
                switch name {
                case "version":
                    if try scanner.revision() > Self.version { throw scanner.error(.unsupportedValue, "a newer form") }
                case "epoch": found = try scanner.parsed("epoch")
                case "revision": cursor.revision = try scanner.revision()
                case "updated_at": updatedAt.milliseconds = Int64(try scanner.revision())
                case "next_id": nextID = Int64(try scanner.revision())
                case "log_bytes": logBytes = Int(try scanner.revision())
                case "cluster": cluster = try scanner.quotedNumber()
                default: try scanner.skipValue()
                }
            }
            guard let found else { throw ConfigError(.syntax, "the member 'epoch' is missing") }
            cursor.epoch = found
        }
    }
#endif
