#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import HashTreeCollections

    /// Reads the store.
    struct EtcdReader: Sendable {
        let client: EtcdClient
        let layout: EtcdLayout

        /// What has come since a revision, read at one moment.
        struct News: Sendable {
            /// The head; `nil` if there is no store.
            var head: EtcdHead?
            /// The records after the revision, or the first of them.
            var records: [Record] = []
            /// Whether there are more records.
            var hasMore = false
            /// etcd's revision of the moment.
            var revision: Int64
            /// The cluster that answered.
            var cluster: UInt64
        }

        /// A record of the log with its origin.
        struct Record: Sendable {
            var batch: EtcdBatch
            var size: Int
            /// etcd's revision that wrote it.
            var revision: Int64
        }

        /// The most records of the log in one read.
        static let pageRecords = 96
        private static let pageParts = 8

        /// Sends a transaction.
        ///
        /// - Parameters:
        ///   - isWrite: whether the outcome may be unknown afterwards.
        ///   - limit: how long to try.
        func ask(
            _ request: EtcdRequest,
            isWrite: Bool = false,
            within limit: Duration = .seconds(10)
        ) async throws(StoreError) -> EtcdAnswer {
            do throws(EtcdFailure) {
                return try await client.ask(request, within: limit)
            } catch {
                throw StoreError(error, at: client.place, isWrite: isWrite)
            }
        }

        /// The head of the store, confirmed by most members; `nil` if there is no store.
        func head() async throws(StoreError) -> EtcdHead? {
            let answer = try await ask(EtcdRequest(operations: [.range(.key(layout.head))]))
            return try answer.pairs(0).first.map { (pair) throws(StoreError) in
                try decoded(pair, EtcdHead.init(json:))
            }
        }

        /// The operations that read what has come since a revision.
        func questions(after revision: UInt64) -> [EtcdRequest.Operation] {
            [
                .range(.key(layout.head)),
                .range(layout.log(from: revision + 1), limit: Self.pageRecords),
            ]
        }

        /// Reads the answer to ``questions(after:)``.
        func news(_ answer: EtcdAnswer) throws(StoreError) -> News {
            var news = News(revision: answer.revision, cluster: answer.cluster)
            if let pair = answer.pairs(0).first { news.head = try decoded(pair, EtcdHead.init(json:)) }
            news.records = try answer.pairs(1).map { (pair) throws(StoreError) in try record(pair) }
            news.hasMore = answer.results.last?.range.hasMore ?? false
            return news
        }

        /// What has come since a revision.
        func news(after revision: UInt64) async throws(StoreError) -> News {
            try news(try await ask(EtcdRequest(operations: questions(after: revision))))
        }

        /// A record of the log.
        func record(_ pair: EtcdPair) throws(StoreError) -> Record {
            let batch = try decoded(pair, EtcdBatch.init(json:))
            guard layout.revision(ofLog: pair.key) == batch.last else {
                throw StoreError(.damaged, "the key '\(pair.key)' in etcd has another record's value; \(Self.advice)")
            }
            return Record(batch: batch, size: pair.value.count, revision: pair.revision)
        }

        /// The whole state at one moment, whatever its size; `nil` if there is no store.
        func state() async throws(StoreError) -> (state: EtcdState, cluster: UInt64)? {
            let first = EtcdRequest(operations: [.range(.key(layout.head)), .range(.key(layout.snapshot))])
            let answer = try await ask(first)
            guard let headPair = answer.pairs(0).first else { return nil }
            let head = try decoded(headPair, EtcdHead.init(json:))
            let moment = answer.revision
            var state = EtcdState(head: EtcdHead(epoch: head.cursor.epoch, cluster: head.cluster), headRevision: 0)
            if let pair = answer.pairs(1).first {
                try await read(try decoded(pair, EtcdSnapshot.init(json:)), at: moment, into: &state)
            }
            try await followLog(of: &state, at: moment)
            guard state.head.cursor == head.cursor else {
                let found = "revision \(state.head.cursor.revision) of \(head.cursor.revision)"
                throw StoreError(.damaged, "the log in etcd ends early (\(found)); \(Self.advice)")
            }
            (state.head, state.headRevision) = (head, headPair.revision)
            return (state, answer.cluster)
        }

        private func read(
            _ snapshot: EtcdSnapshot,
            at moment: Int64,
            into state: inout EtcdState
        ) async throws(StoreError) {
            var number = 0
            while number < snapshot.parts {
                let range = layout.parts(of: snapshot, from: number)
                let operation = EtcdRequest.Operation.range(range, limit: Self.pageParts, revision: moment)
                let pairs = try await ask(EtcdRequest(operations: [operation])).pairs(0)
                guard !pairs.isEmpty else {
                    throw StoreError(.damaged, "parts of the snapshot in etcd are missing; \(Self.advice)")
                }
                for pair in pairs { state.add(try decoded(pair, EtcdPart.init(json:))) }
                number += pairs.count
            }
            state.head.cursor.revision = snapshot.revision
            state.head.updatedAt = snapshot.updatedAt
            state.head.nextID = snapshot.nextID
            state.head.logBytes = snapshot.logBytes
            for (name, namespace) in state.namespaces {
                let digest = ConfigDigest(namespace.entries.lazy.map { ($0.key, $0.value.value) })
                guard digest == namespace.digest else {
                    let message = "the entries of the namespace '\(name)' in etcd do not match their digest"
                    throw StoreError(.damaged, "\(message); \(Self.advice)")
                }
            }
        }

        private func followLog(of state: inout EtcdState, at moment: Int64) async throws(StoreError) {
            var hasMore = true
            while hasMore {
                let range = layout.log(from: state.head.cursor.revision + 1)
                let operation = EtcdRequest.Operation.range(range, limit: Self.pageRecords, revision: moment)
                let answer = try await ask(EtcdRequest(operations: [operation]))
                for pair in answer.pairs(0) {
                    let record = try record(pair)
                    guard state.apply(record) == .done else {
                        let message = "the log in etcd contradicts itself at revision \(record.batch.last)"
                        throw StoreError(.damaged, "\(message); \(Self.advice)")
                    }
                }
                hasMore = answer.results.first?.range.hasMore ?? false
            }
        }

        /// Whether a member has raised the alarm that its disk quota is used up, which makes the cluster read-only.
        func isFull() async -> Bool {
            do throws(EtcdFailure) {
                let answer = try await client.ask("/v3/maintenance/alarm", Array("{}".utf8), within: .seconds(5))
                return String(decoding: answer, as: UTF8.self).contains("NOSPACE")
            } catch {
                return false
            }
        }

        /// Decodes the value of a key.
        func decoded<Value>(
            _ pair: EtcdPair,
            _ decode: ([UInt8]) throws(ConfigError) -> Value
        ) throws(StoreError) -> Value {
            do throws(ConfigError) {
                return try decode(pair.value)
            } catch {
                let message = "the key '\(pair.key)' in etcd is not of this version of Livery (\(error.message))"
                throw StoreError(.damaged, "\(message); \(Self.advice)", underlying: error)
            }
        }

        static let advice = "restore a snapshot of etcd, or name another prefix"
    }

    extension EtcdState {
        /// Adds a part of a snapshot.
        fileprivate mutating func add(_ part: EtcdPart) {
            for namespace in part.namespaces {
                namespaces[namespace.name, default: Namespace()].revision = namespace.revision
                namespaces[namespace.name]?.digest = namespace.digest
            }
            for item in part.entries { namespaces[item.namespace, default: Namespace()].entries[item.key] = item.entry }
        }
    }
#endif
