// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import HashTreeCollections

    /// An open store: the members, the layout of the keys, and this server's current state.
    struct EtcdSession: Sendable {
        let client: EtcdClient
        let layout: EtcdLayout
        let options: EtcdEntryStore.Options
        let upkeep: EtcdUpkeep
        let mirror = EtcdMirror()

        /// The changes since a revision, read at one moment.
        struct News: Sendable {
            /// `nil` if there is no store.
            var head: EtcdHead?
            /// The records after the revision, or the first of them.
            var records: [EtcdBatch]
            var hasMore: Bool
            /// etcd's revision of the moment.
            var moment: Int64
        }

        /// Sends a transaction.
        ///
        /// - Parameter isWrite: whether the outcome may be unknown afterwards.
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

        /// Sends operations without conditions, which do the same if they are repeated.
        @discardableResult
        func ask(_ operations: EtcdRequest.Operation...) async throws(StoreError) -> EtcdAnswer {
            try await ask(EtcdRequest(operations: operations))
        }

        /// Reads up to a number of keys per request, fewer if the response is too large.
        func read(
            _ page: inout EtcdPage,
            _ operations: (_ count: Int) -> [EtcdRequest.Operation]
        ) async throws(StoreError) -> EtcdAnswer {
            while true {
                do throws(StoreError) {
                    let answer = try await ask(EtcdRequest(operations: operations(page.count)))
                    page.grow()
                    return answer
                } catch {
                    guard (error.underlying as? EtcdFailure)?.kind == .answerTooLarge, page.shrink() else {
                        throw error
                    }
                }
            }
        }

        /// The head, confirmed by most members; `nil` if there is no store.
        func head() async throws(StoreError) -> EtcdHead? {
            try first(in: try await ask(.range(.key(layout.head))).range(0))?.record
        }

        /// The operations that read the changes since a revision.
        func questions(after revision: UInt64, limit: Int = EtcdPage.safeCount) -> [EtcdRequest.Operation] {
            [.range(.key(layout.head)), .range(layout.log(from: revision + 1), limit: limit)]
        }

        /// Reads the answer to ``questions(after:limit:)``.
        func news(_ answer: EtcdAnswer) throws(StoreError) -> News {
            News(
                head: try first(in: answer.range(0))?.record,
                records: try records(in: answer.range(1)),
                hasMore: answer.range(1).hasMore,
                moment: answer.header.revision
            )
        }

        func news(after revision: UInt64, _ page: inout EtcdPage) async throws(StoreError) -> News {
            try news(try await read(&page) { questions(after: revision, limit: $0) })
        }

        /// The whole state at one moment, of any size, and the cluster; the state is `nil` if the store does not exist.
        func state() async throws(StoreError) -> (state: EtcdState?, cluster: UInt64) {
            let answer = try await ask(.range(.key(layout.head)), .range(.key(layout.snapshot)))
            let (moment, cluster) = (answer.header.revision, answer.header.cluster)
            guard let head = try first(EtcdHead.self, in: answer.range(0)) else { return (nil, cluster) }
            var state = EtcdState(head: EtcdHead())
            if let snapshot = try first(EtcdSnapshot.self, in: answer.range(1))?.record {
                state = try await self.state(of: snapshot, at: moment)
            }
            state.head.cursor.epoch = head.record.cursor.epoch
            try await followLog(of: &state, at: moment)
            guard state.head.cursor == head.record.cursor else {
                let found = "revision \(state.head.cursor.revision) of \(head.record.cursor.revision)"
                throw damaged("the log in etcd is incomplete (\(found))")
            }
            (state.head, state.headRevision) = (head.record, head.revision)
            return (state, cluster)
        }

        private func state(of snapshot: EtcdSnapshot, at moment: Int64) async throws(StoreError) -> EtcdState {
            var (state, number, page) = (EtcdState(head: snapshot.head), 0, EtcdPage())
            while number < snapshot.parts {
                let range = layout.parts(of: snapshot, from: number)
                let pairs = try await read(&page) { [.range(range, limit: $0, revision: moment)] }.range(0).pairs
                guard !pairs.isEmpty else { throw damaged("parts of the snapshot in etcd are missing") }
                for pair in pairs { state.add(try decoded(pair)) }
                number += pairs.count
            }
            for (name, namespace) in state.namespaces {
                let digest = ConfigDigest(namespace.entries.lazy.map { ($0.key, $0.value.value) })
                guard digest == namespace.digest else {
                    throw damaged("the entries of the namespace '\(name)' in etcd do not match their digest")
                }
            }
            return state
        }

        private func followLog(of state: inout EtcdState, at moment: Int64) async throws(StoreError) {
            var (hasMore, page) = (true, EtcdPage())
            while hasMore {
                let range = layout.log(from: state.head.cursor.revision + 1)
                let found = try await read(&page) { [.range(range, limit: $0, revision: moment)] }.range(0)
                for record in try records(in: found) {
                    guard state.apply(record) else {
                        throw damaged("the log in etcd is inconsistent at revision \(record.last)")
                    }
                }
                hasMore = found.hasMore
            }
        }

        static let toLoadAgain = StoreError(
            .unavailable,
            "the store in etcd is being reloaded; try again in a moment",
            reason: .starting
        )

        /// Whether a state is not the store's latest: etcd was restored from a snapshot, or copied to another cluster.
        func isCopy(_ state: EtcdState, in cluster: UInt64) -> Bool {
            let (found, furthest) = (state.head.cursor, mirror.furthest)
            let hasGoneBack = furthest.map { $0.epoch == found.epoch && $0.revision > found.revision } ?? false
            return hasGoneBack || state.head.cluster != cluster
        }

        /// A transaction that requires the permissions of commits and upkeep although it changes no key: its condition is never
        /// met.
        ///
        /// - Parameter isWriting: whether it also puts a separate key.
        func probe(writing isWriting: Bool) -> EtcdRequest {
            EtcdRequest(
                expected: [layout.head: -1],
                operations: [
                    .put(key: layout.head, value: []), .put(key: layout.snapshot, value: []), .delete(layout.log()),
                    .delete(layout.parts),
                ],
                otherwise: [.range(.key(layout.head))] + (isWriting ? [.put(key: layout.probe, value: [])] : [])
            )
        }

        /// Whether a member has raised the alarm that its disk quota is used up, which makes the cluster read-only.
        func isFull() async -> Bool {
            // A cluster that does not answer is not known to be full; the write has reported its own error.
            let answer = try? await client.ask("/v3/maintenance/alarm", Array("{}".utf8), within: .seconds(5))
            return answer.map { String(decoding: $0, as: UTF8.self).contains("NOSPACE") } ?? false
        }

        /// The record of the first key that was found, and etcd's revision that has changed it last.
        func first<Record: EtcdRecord>(
            _ type: Record.Type = Record.self,
            in range: EtcdAnswer.Range
        ) throws(StoreError) -> (record: Record, revision: Int64)? {
            guard let pair = range.pairs.first else { return nil }
            return (try decoded(pair), pair.revision)
        }

        func records(in range: EtcdAnswer.Range) throws(StoreError) -> [EtcdBatch] {
            try range.pairs.map { (pair) throws(StoreError) in try record(pair) }
        }

        /// A record of the log.
        func record(_ pair: EtcdPair) throws(StoreError) -> EtcdBatch {
            var batch: EtcdBatch = try decoded(pair)
            guard layout.revision(ofLog: pair.key) == batch.last else {
                throw damaged("the key '\(pair.key)' in etcd contains the value of another record")
            }
            (batch.size, batch.writtenAt) = (pair.value.count, pair.revision)
            return batch
        }

        private func decoded<Record: EtcdRecord>(_ pair: EtcdPair) throws(StoreError) -> Record {
            do throws(ConfigError) {
                return try Record(json: pair.value)
            } catch {
                if error.underlying is EtcdOtherVersion {
                    let message = "\(error.message), or use another prefix"
                    throw StoreError(.damaged, message, reason: .version, underlying: error)
                }
                let isDamaged = error.code == .damaged
                let what = isDamaged ? "is corrupt" : "was not written by this version of livery-server"
                let message = "the key '\(pair.key)' in etcd \(what) (\(error.message))"
                throw damaged(message, reason: isDamaged ? .damaged : .foreign, error)
            }
        }

        private func damaged(
            _ message: String,
            reason: StoreError.Reason = .damaged,
            _ error: (any Error)? = nil
        ) -> StoreError {
            let advice = "restore a snapshot of etcd, or use another prefix"
            return StoreError(.damaged, "\(message); \(advice)", reason: reason, underlying: error)
        }
    }
#endif
