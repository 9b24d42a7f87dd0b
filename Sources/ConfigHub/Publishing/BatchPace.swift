// SPDX-License-Identifier: Apache-2.0

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
