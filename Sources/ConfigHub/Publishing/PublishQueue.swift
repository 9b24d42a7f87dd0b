// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Synchronization

/// The publishes that wait for the writer. Publishes that arrive during a commit form the next batch.
final class PublishQueue: Sendable {
    /// A publish, and the task that waits for its outcome.
    struct Pending: Sendable {
        var publish: Publish
        private(set) var bytes: Int
        /// The start of its wait.
        let since = ContinuousClock.now
        private let waiting: Waiting

        fileprivate init(_ publish: Publish, _ continuation: CheckedContinuation<Answer, Never>) {
            self.publish = publish
            bytes =
                publish.change.roughBytes + (publish.companion.map { Publish.Change.edit($0.edits).roughBytes } ?? 0)
            waiting = Waiting(continuation)
        }

        /// Whether only the store knows its effect.
        var isRollback: Bool {
            if case .rollback = publish.change { true } else { false }
        }

        /// Whether all values or all rules of the namespace may have to be read: it sets or removes schemas, or what rules
        /// share.
        var mayReadAll: Bool {
            guard case .edit(let edits) = publish.change else { return false }
            let shared = EntryKind.rule.key(of: EntryKind.sharedRules)
            return edits.keys.contains { EntryKind(of: $0) == .schema || $0 == shared }
        }

        /// Counts the edits of a publish that does not list them itself.
        mutating func count(_ edits: [String: EntryValue?]) {
            bytes = Publish.Change.edit(edits).roughBytes
        }

        /// Answers, unless it is answered already.
        ///
        /// - Returns: whether it was not.
        @discardableResult
        func answer(_ answer: Answer) -> Bool { waiting.end(with: answer) }
    }

    typealias Answer = Result<PublishOutcome, StoreError>

    /// The task that waits, until there is an answer.
    fileprivate final class Waiting: Sendable {
        private let continuation: Mutex<CheckedContinuation<Answer, Never>?>

        init(_ continuation: CheckedContinuation<Answer, Never>) {
            self.continuation = Mutex(continuation)
        }

        func end(with answer: Answer) -> Bool {
            let continuation = continuation.withLock { $0.take() }
            continuation?.resume(returning: answer)
            return continuation != nil
        }
    }

    private struct State {
        /// The error with which publishes are rejected; `nil` while the queue is open.
        var closure: StoreError?
        var isDraining = false
        var pending: [Pending] = []
        var bytes = 0
        /// The number of publishes at which the writer is woken; `nil` while it is busy and checks by itself.
        var wanted: Int?

        /// Whether there are as many publishes as the writer waits for. It is woken once.
        mutating func shouldWakeWriter() -> Bool {
            guard let wanted, pending.count >= wanted else { return false }
            self.wanted = nil
            return true
        }

        var isClosed: Bool { closure != nil && !isDraining }

        /// Removes the first publishes.
        mutating func take(_ count: Int) -> [Pending] {
            let batch = Array(pending.prefix(count))
            pending.removeFirst(batch.count)
            bytes -= batch.reduce(0) { $0 + $1.bytes }
            return batch
        }

        mutating func add(_ publishes: some Collection<Pending>, at index: Int) {
            pending.insert(contentsOf: publishes, at: index)
            bytes += publishes.reduce(0) { $0 + $1.bytes }
        }
    }

    /// Closed until the store has been loaded.
    private let state = Mutex(State(closure: .notOpen))
    /// Wakes the writer.
    private let (hints, hint) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let maximumCount: Int
    private let batchCount: Int
    /// The maximum size of waiting values, in bytes (estimated); one publish may always wait.
    private static let maximumBytes = 64 * 1024 * 1024

    /// - Parameters:
    ///   - maximumCount: the maximum number of waiting publishes.
    ///   - batchCount: the maximum number of publishes in a batch.
    init(maximumCount: Int, batchCount: Int) {
        (self.maximumCount, self.batchCount) = (maximumCount, batchCount)
    }

    var size: BatchSize { state.withLock { BatchSize(count: $0.pending.count, bytes: $0.bytes) } }

    /// Waits in the queue and for the commit, even in a task that is cancelled: its publish is made nevertheless.
    func publish(_ publish: Publish) async throws(StoreError) -> PublishOutcome {
        let result = await withCheckedContinuation { continuation in add(Pending(publish, continuation)) }
        return try result.get()
    }

    private func add(_ pending: Pending) {
        let (refusal, isEnough) = state.withLock { state in
            let refusal = refuse(pending, state)
            if refusal == nil { state.add([pending], at: state.pending.count) }
            return (refusal, state.shouldWakeWriter())
        }
        if let refusal { pending.answer(.failure(refusal)) }
        if isEnough { hint.yield() }
    }

    private func refuse(_ pending: Pending, _ state: State) -> StoreError? {
        if state.isDraining { return StoreError(.unavailable, "the server is shutting down", reason: .stopping) }
        if let closure = state.closure { return closure }
        let isFull = state.pending.count >= maximumCount || state.bytes + pending.bytes > Self.maximumBytes
        guard isFull, !state.pending.isEmpty else { return nil }
        return StoreError(.unavailable, "write queue of the store is full", reason: .busy)
    }

    /// Accepts publishes from now on.
    func open() {
        state.withLock { $0.closure = nil }
    }

    /// Rejects publishes, including the waiting ones, until the queue is opened again.
    func close(because reason: StoreError) {
        let waiting = state.withLock { state in
            state.closure = state.closure ?? reason
            defer { (state.pending, state.bytes) = ([], 0) }
            return state.pending
        }
        for pending in waiting { pending.answer(.failure(reason)) }
    }

    /// Whether publishes are refused until the queue is opened.
    var isClosed: Bool { state.withLock(\.isClosed) }

    /// Rejects new publishes; waiting publishes are still committed.
    func drain() {
        state.withLock { $0.isDraining = true }
        hint.yield()
    }

    /// The next batch, as soon as there is one and the pace lets it begin; `nil` when the queue has been drained.
    ///
    /// To be called by one task only.
    func nextBatch(_ pace: BatchPace) async -> [Pending]? {
        var hints = hints.makeAsyncIterator()
        var alarm: Task<Void, any Error>?
        defer { alarm?.cancel() }
        while true {
            let (batch, isOver, end) = state.withLock { state in
                // It waits for more once: when the wait ends, the batch begins.
                let mayWait = alarm == nil && state.closure == nil
                let end = mayWait ? pace.end(with: state.pending.count, at: .now) : nil
                let batch = end == nil ? state.take(batchCount) : []
                state.wanted = nil
                if batch.isEmpty { state.wanted = end == nil ? 1 : pace.expected }
                return (batch, state.isDraining, end)
            }
            if !batch.isEmpty { return batch }
            if let end {
                alarm = Task { [hint] in
                    try await Task.sleep(until: end, tolerance: .zero)
                    hint.yield()
                }
            }
            if end == nil, isOver { return nil }
            await hints.next()
        }
    }

    /// Puts publishes of the last batch back in front of the waiting ones, or rejects them if waiting publishes are rejected.
    func putBack(_ publishes: ArraySlice<Pending>) {
        let refusal = state.withLock { state in
            if !state.isClosed { state.add(publishes, at: 0) }
            return state.isClosed ? state.closure : nil
        }
        guard let refusal else { return }
        for pending in publishes { pending.answer(.failure(refusal)) }
    }
}

extension Publish.Change {
    /// About how many bytes of memory the request takes.
    var roughBytes: Int {
        guard case .edit(let changes) = self else { return 64 }
        return changes.reduce(64) { $0 + $1.key.utf8.count + 64 + ($1.value?.roughBytes ?? 0) }
    }
}

extension EntryValue {
    /// Numbers are not written out for it.
    fileprivate var roughBytes: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .array(let elements): elements.reduce(2) { $0 + 1 + $1.roughBytes }
        case .object(let members): members.reduce(2) { $0 + 4 + $1.key.utf8.count + $1.value.roughBytes }
        case .null, .boolean, .integer, .double: 8
        }
    }
}

/// The time for which a batch of publishes is gathered.
///
/// If a commit began as soon as the last one ended, waiting writers would form two groups: while one group is being written to
/// the disk, the other one gathers, and each transaction contains half of them. The fixed cost of a transaction, at the store
/// and at every server that follows it, is then paid twice. So a commit waits for the writers just answered, for half of the
/// last one's duration. If the processors are the limit, waiting for more pays as well, since fewer transactions take less
/// processor time. After a short commit there is no wait: the transaction costs too little, and the two groups keep the store
/// and the connections busy in turns.
///
/// A single writer never waits, and no publish waits for others that would not fit into the batch.
struct BatchPace: Hashable, Sendable {
    /// The maximum number of publishes in a batch, and of their bytes.
    private let limit: BatchSize
    /// The number of publishes to gather; the batch is not delayed for more.
    private(set) var expected = 0
    /// The time at which the batch begins in any case; `nil` if it does not wait.
    private var deadline: ContinuousClock.Instant?

    /// After a shorter commit, the batch does not wait for more publishes.
    static let minimumDuration = Duration.milliseconds(2)
    /// The longest delay: of a store whose commits take long.
    static let maximumDelay = Duration.milliseconds(4)

    init(_ limit: BatchSize) { self.limit = limit }

    /// The time until which a batch of this size waits for more; `nil` if it begins at once.
    func end(with count: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let deadline, now < deadline, count > 0, count < expected else { return nil }
        return deadline
    }

    /// Sets the pace after a commit.
    ///
    /// - Parameters:
    ///   - batch: its publishes, whose writers may come again.
    ///   - waiting: the publishes that wait for the next batch.
    ///   - isCut: whether some of them have waited already, for a commit that could not have them.
    ///   - duration: how long it took.
    ///   - end: when it ended.
    mutating func committed(
        _ batch: BatchSize,
        waiting: BatchSize,
        isCut: Bool = false,
        in duration: Duration,
        at end: ContinuousClock.Instant
    ) {
        let all = BatchSize(count: batch.count + waiting.count, bytes: batch.bytes + waiting.bytes)
        // As many of their mean size as the limit has room for.
        let fitting = all.bytes > limit.bytes ? limit.bytes * all.count / all.bytes : all.count
        expected = min(fitting, limit.count)
        deadline = isCut || duration < Self.minimumDuration ? nil : end + min(duration / 2, Self.maximumDelay)
    }
}

/// The number of publishes, and their approximate memory in bytes.
struct BatchSize: Hashable, Sendable {
    var count = 0
    var bytes = 0
}
