// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import ConfigModel
    internal import ConfigSchemas
    internal import ConfigStore
    internal import HashTreeCollections

    /// A session commits publishes by writing the next record of the log, if no other server has.
    extension EtcdSession {
        /// Commits publishes in one transaction. If another commit was faster, they are checked again after its revisions.
        func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome] {
            guard !publishes.isEmpty else { return [] }
            var past = EtcdPast()
            while true {
                guard let state = mirror.state else { throw Self.toLoadAgain }
                let head = state.head
                try await read(&past, for: publishes, before: state)
                var transaction = EtcdTransaction(state: state, past: past)
                let (revision, time) = (head.cursor.revision, head.updatedAt)
                var committer = PublishCommitter(head: revision, updatedAt: time, now: options.now)
                let outcomes = committer.commit(publishes, in: &transaction)
                let isLatest =
                    transaction.revisions.isEmpty
                    ? try await isLatest(state) : try await put(transaction, after: state)
                if isLatest { return outcomes }
            }
        }

        /// Reads the values that rollbacks go back to.
        ///
        /// - Parameter past: the state read before another commit was faster; only later changes are read then.
        private func read(
            _ past: inout EtcdPast,
            for publishes: [Publish],
            before state: EtcdState
        ) async throws(StoreError) {
            let head = state.head.cursor.revision
            past.floor = head
            let targets = publishes.compactMap { publish -> EtcdPast.Target? in
                guard case .rollback(let revision) = publish.change, revision < head else { return nil }
                return EtcdPast.Target(namespace: publish.namespace, revision: revision)
            }
            guard !targets.isEmpty else { return }
            let floor = try await floor() ?? head
            for target in targets where target.revision >= floor {
                let values = try await values(at: target, in: state, knowing: past.values[target])
                // It has just been pruned.
                guard let values else { return }
                past.values[target] = values
            }
            past.floor = floor
        }

        /// Writes a record and the new head, if the head is still the state's.
        ///
        /// - Returns: whether they were written; if not, the mirror has the newer records now.
        private func put(_ transaction: EtcdTransaction, after state: EtcdState) async throws(StoreError) -> Bool {
            var head = transaction.state.head
            var batch = EtcdBatch(offset: head.logBytes, nextID: head.nextID, revisions: transaction.revisions)
            batch.id = .random(in: .min ... .max)
            let json = batch.json
            batch.size = json.count
            head.logBytes += json.count
            let request = EtcdRequest(
                expected: [layout.head: state.headRevision],
                operations: [.put(key: layout.head, value: head.json), .put(key: layout.log(batch.last), value: json)],
                otherwise: questions(after: state.head.cursor.revision)
            )
            try checkSize(json.count)
            let answer = try await ask(request, isWrite: true)
            if answer.succeeded {
                batch.writtenAt = answer.header.revision
                var next = transaction.state
                (next.head, next.headRevision) = (head, batch.writtenAt)
                let isNext = mirror.advance(from: state.head.cursor, to: next)
                guard isNext || mirror.apply([batch], areOwn: true) else { throw Self.replaced }
                return true
            }
            let news = try self.news(answer)
            try await apply(news, after: state)
            // The head was written by hand.
            if mirror.cursor == state.head.cursor { throw Self.replaced }
            // The answer to the first attempt may have been lost, and this is the answer to a retry.
            return news.records.first?.id == batch.id
        }

        /// Whether the state is still the latest.
        private func isLatest(_ state: EtcdState) async throws(StoreError) -> Bool {
            var page = EtcdPage()
            let news = try await self.news(after: state.head.cursor.revision, &page)
            if news.head?.cursor == state.head.cursor { return true }
            try await apply(news, after: state)
            return false
        }

        /// Applies what other servers have committed since a state.
        private func apply(_ news: News, after state: EtcdState) async throws(StoreError) {
            guard try await catchUp(with: news, after: state.head.cursor) != nil else { throw Self.replaced }
        }

        private func checkSize(_ count: Int) throws(StoreError) {
            // A margin for the overhead that etcd counts besides keys and values.
            let limit = options.requestBytes - 1024
            guard count > limit else { return }
            let message = """
                the write has \(count) bytes including the replaced values, but etcd accepts at most \(limit) per \
                transaction; publish it in parts
                """
            throw StoreError(.tooLarge, message)
        }

        /// The store does not continue this state: it was restored or emptied.
        private static let replaced = StoreError(.uncertain, "the store in etcd was replaced; reloading it")
    }

    /// A batch of publishes, checked against a state and turned into one record of the log.
    struct EtcdTransaction: StoreTransaction {
        typealias Failure = Never

        /// The state after the revisions made so far.
        var state: EtcdState
        /// The values that rollbacks go back to.
        let past: EtcdPast
        /// The revisions made so far.
        private(set) var revisions: [EtcdRevision] = []

        func floor() -> UInt64 { past.floor }

        func revision(of namespace: String) -> UInt64 { state.namespaces[namespace]?.revision ?? 0 }

        func entry(_ key: String, in namespace: String) -> StoredEntry? { state.namespaces[namespace]?.entries[key] }

        func entries(in namespace: String, from beginning: String) -> [String: StoredEntry] {
            let entries = state.namespaces[namespace]?.entries ?? [:]
            let found = entries.lazy.filter { $0.key.utf8.starts(with: beginning.utf8) }
            return Dictionary(uniqueKeysWithValues: found.map { ($0.key, $0.value) })
        }

        func schemas(in namespace: String) -> SchemaSet { state.namespaces[namespace]?.schemas ?? SchemaSet() }

        func values(in namespace: String, at revision: UInt64) -> [String: EntryValue?] {
            var values = past.values[EtcdPast.Target(namespace: namespace, revision: revision)]?.values ?? [:]
            for item in revisions where item.revision > revision && item.namespace == namespace {
                for change in item.changes where values[change.key] == nil { values[change.key] = .some(change.old) }
            }
            return values
        }

        mutating func write(_ revision: NewRevision) -> [String: StoredEntry?] {
            var made = EtcdRevision(
                revision: revision.revision,
                updatedAt: revision.updatedAt,
                namespace: revision.namespace,
                previous: revision.previous,
                author: revision.author,
                message: revision.message
            )
            for change in revision.changes {
                let entry = revision.entry(change, id: change.old?.id ?? state.head.nextID)
                if change.old == nil { state.head.nextID += 1 }
                let (id, createdAt, old) = (entry?.id, entry?.createdAt, change.old?.value)
                made.changes.append(
                    EtcdChange(key: change.key, value: change.value, id: id, createdAt: createdAt, old: old)
                )
            }
            made.digest = state.make(made)
            state.head.cursor.revision = revision.revision
            state.head.updatedAt = revision.updatedAt
            revisions.append(made)
            return made.commit.changes
        }
    }
#endif
