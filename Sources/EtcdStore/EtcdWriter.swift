#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import Synchronization

    /// Commits publishes by writing the next record of the log, if no other server has.
    struct EtcdWriter: Sendable {
        let reader: EtcdReader
        let mirror: EtcdMirror
        let options: EtcdStore.Options

        /// Commits publishes in one transaction. If another server was faster, they are judged again after its revisions.
        func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome] {
            guard !publishes.isEmpty else { return [] }
            while true {
                guard let state = mirror.state else {
                    throw StoreError(.unavailable, "the store in etcd has to be loaded again; try again in a moment")
                }
                let (head, updatedAt) = (state.head.cursor.revision, state.head.updatedAt)
                let past = try await past(for: publishes, before: head)
                var transaction = EtcdTransaction(after: state, past: past)
                var judge = PublishJudge(head: head, updatedAt: updatedAt, now: options.now)
                let outcomes = judge.commit(publishes, in: &transaction)
                let isMade =
                    if let made = transaction.batch(id: .random(in: .min ... .max)) {
                        try await put(made.batch, made.json, made.head, after: state)
                    } else {
                        try await isPresent(state)
                    }
                if isMade { return outcomes }
            }
        }

        /// The revisions before the head, as far back as rollbacks need them.
        private func past(for publishes: [Publish], before head: UInt64) async throws(StoreError) -> EtcdPast {
            let targets = publishes.compactMap { publish in
                if case .rollback(let revision) = publish.change { revision } else { nil }
            }
            let history = EtcdHistory(reader: reader)
            guard let lowest = targets.min(), lowest < head else { return EtcdPast(base: head) }
            // The log limits how far a rollback can go back.
            let floor = try await history.floor() ?? head
            let base = max(floor, lowest)
            return try await history.past(after: base, through: head) ?? EtcdPast(base: head)
        }

        /// Writes a record and the new head, if the head is still the state's.
        ///
        /// - Returns: whether they were written; if not, the mirror has the newer records now.
        private func put(
            _ batch: EtcdBatch,
            _ json: [UInt8],
            _ head: EtcdHead,
            after state: EtcdState
        ) async throws(StoreError) -> Bool {
            let layout = reader.layout
            let request = EtcdRequest(
                expected: [layout.head: state.headRevision],
                operations: [
                    .put(key: layout.head, value: head.json),
                    .put(key: layout.log(batch.last), value: json),
                ],
                otherwise: reader.questions(after: state.head.cursor.revision)
            )
            try checkSize(of: request, holding: json.count)
            let answer = try await reader.ask(request, isWrite: true)
            if answer.succeeded {
                try settle(mirror.apply(own: .init(batch: batch, size: json.count, revision: answer.revision)))
                return true
            }
            let news = try reader.news(answer)
            // The answer to the first attempt may have been lost, and this is the answer to a retry.
            let isMade = news.records.first?.batch.id == batch.id
            try await apply(news, after: state)
            // Somebody has written the head by hand.
            if mirror.cursor == state.head.cursor { throw Self.replaced }
            return isMade
        }

        /// Whether the state is still the latest.
        private func isPresent(_ state: EtcdState) async throws(StoreError) -> Bool {
            let news = try await reader.news(after: state.head.cursor.revision)
            if news.head?.cursor == state.head.cursor { return true }
            try await apply(news, after: state)
            return false
        }

        /// Applies what other servers have committed since a state.
        private func apply(_ news: EtcdReader.News, after state: EtcdState) async throws(StoreError) {
            guard let head = news.head, head.cursor.epoch == state.head.cursor.epoch else { throw Self.replaced }
            var news = news
            while true {
                try settle(mirror.apply(news.records))
                guard news.hasMore, let last = news.records.last?.batch.last else { break }
                news = try await reader.news(after: last)
            }
            if mirror.revision < head.cursor.revision { throw Self.replaced }
        }

        private func settle(_ result: EtcdState.Application) throws(StoreError) {
            guard result != .done else { return }
            throw Self.replaced
        }

        private func checkSize(of request: EtcdRequest, holding count: Int) throws(StoreError) {
            // A margin for what etcd counts beside keys and values.
            let size = count + 1024
            guard size > options.requestBytes else { return }
            let message = """
                the change has \(count) bytes with what it replaces, and etcd accepts \(options.requestBytes - 1024) at \
                once; publish it in parts
                """
            throw StoreError(.tooLarge, message)
        }

        /// The store does not continue this state: it was restored or emptied.
        private static let replaced = StoreError(
            .uncertain,
            "the store in etcd was replaced; it is loaded again"
        )
    }

    /// Runs one body at a time, in the order of the calls, without blocking a thread.
    final class EtcdSerialQueue: Sendable {
        private let storage = Mutex(Storage())

        private struct Storage {
            var isTaken = false
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        /// Runs a body when it is its turn.
        func run<Value, Failure: Error>(_ body: () async throws(Failure) -> Value) async throws(Failure) -> Value {
            await enter()
            defer { leave() }
            return try await body()
        }

        private func enter() async {
            await withCheckedContinuation { continuation in
                let isFree = storage.withLock { storage in
                    if storage.isTaken { storage.waiting.append(continuation) }
                    defer { storage.isTaken = true }
                    return !storage.isTaken
                }
                if isFree { continuation.resume() }
            }
        }

        private func leave() {
            let next = storage.withLock { storage in
                storage.isTaken = !storage.waiting.isEmpty
                return storage.waiting.isEmpty ? nil : storage.waiting.removeFirst()
            }
            next?.resume()
        }
    }
#endif
