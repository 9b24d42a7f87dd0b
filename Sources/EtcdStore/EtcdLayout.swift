// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import ConfigModel

    /// The keys of a store in etcd.
    ///
    /// | key | value |
    /// |---|---|
    /// | `/P/head` | ``EtcdHead``: epoch, revision and the data that the next commit needs |
    /// | `/P/log/R` | ``EtcdBatch``: what one transaction made, up to the revision R |
    /// | `/P/snapshot` | ``EtcdSnapshot``: the names of the parts that contain the state at a revision |
    /// | `/P/parts/R-I/N` | ``EtcdPart``: part N of the state at the revision R |
    ///
    /// A commit puts the head and one record of the log, however many keys it changes: the live state is the snapshot and the
    /// log after it. A commit thus stays far below etcd's limit of 128 operations, writes only its changes, and a server that
    /// missed a commit finds it in the log.
    struct EtcdLayout: Sendable {
        /// The prefix with slashes on both sides.
        private let prefix: String

        init(prefix: String) {
            self.prefix = prefix.isEmpty ? "/" : "/\(prefix)/"
        }

        var head: String { prefix + "head" }
        var snapshot: String { prefix + "snapshot" }
        /// The key that is put to find out whether etcd accepts writes.
        var probe: String { prefix + "probe" }

        /// The key of the record whose last revision is this one.
        func log(_ revision: UInt64) -> String { logPrefix + revision.hexDigits }

        /// The records of the log whose last revision is in a range.
        func log(from first: UInt64 = 0, through last: UInt64 = .max) -> EtcdRange {
            // No key lies between this one and the next.
            EtcdRange(start: log(first), end: log(last) + "\0")
        }

        /// The revision in the key of a record; `nil` for any other key.
        func revision(ofLog key: String) -> UInt64? {
            guard key.hasPrefix(logPrefix) else { return nil }
            let digits = key.dropFirst(logPrefix.count)
            return digits.utf8.count == 16 ? UInt64(digits, radix: 16) : nil
        }

        func part(_ number: Int, of snapshot: EtcdSnapshot) -> String {
            partsPrefix + snapshot.name + "/" + UInt64(number).hexDigits
        }

        /// The parts of a snapshot from one on.
        func parts(of snapshot: EtcdSnapshot, from number: Int = 0) -> EtcdRange {
            EtcdRange(start: part(number, of: snapshot), end: partsPrefix + snapshot.name + "0")
        }

        /// The parts of all snapshots, and of attempts to write one.
        var parts: EtcdRange { EtcdRange(start: partsPrefix, end: String(partsPrefix.dropLast()) + "0") }

        /// The snapshot, or the attempt, in the key of a part; `nil` for any other key.
        func attempt(ofPart key: String) -> EtcdSnapshot? {
            guard key.hasPrefix(partsPrefix) else { return nil }
            let name = key.dropFirst(partsPrefix.count).prefix { $0 != "/" }.split(separator: "-")
            guard name.count == 2, let revision = UInt64(name[0], radix: 16), let id = UInt64(name[1], radix: 16) else {
                return nil
            }
            var snapshot = EtcdSnapshot(id: id)
            snapshot.head.cursor.revision = revision
            return snapshot.name == name.joined(separator: "-") ? snapshot : nil
        }

        /// The parts of all snapshots before one.
        func parts(before snapshot: EtcdSnapshot) -> EtcdRange {
            EtcdRange(start: partsPrefix, end: partsPrefix + snapshot.name)
        }

        private var logPrefix: String { prefix + "log/" }
        private var partsPrefix: String { prefix + "parts/" }
    }
#endif
