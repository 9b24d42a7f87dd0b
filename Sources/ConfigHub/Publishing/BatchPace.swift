// SPDX-License-Identifier: Apache-2.0

/// How long a batch of publishes is gathered.
///
/// Writers who wait for their answers come in two groups if a commit begins as soon as the last one has ended: while one group
/// is on its way to the disk, the other one gathers, and each transaction has half of them. What a transaction costs whatever
/// its size, at the store and at every server that follows it, is then paid twice. So a commit waits for the writers just
/// answered, for half of the last one's time. Where the processors are the limit, waiting for more of them pays as well:
/// fewer transactions take less of the processors. After a short commit there is no wait: the transaction costs too little, and
/// the two groups keep the store and the connections busy by turns.
///
/// A single writer never waits, and nobody waits for those who would not fit into the batch.
struct BatchPace: Hashable, Sendable {
    /// The most publishes of a batch, and the most bytes.
    private let limit: BatchSize
    /// The number of publishes to gather; the batch is not delayed for more.
    private(set) var expected = 0
    /// When the batch begins, however many there are; `nil` if it does not wait.
    private var deadline: ContinuousClock.Instant?

    /// After a commit that took less than this, nobody is waited for.
    static let leastDuration = Duration.milliseconds(2)
    /// The longest delay: of a store whose commits take long.
    static let longestDelay = Duration.milliseconds(4)

    init(_ limit: BatchSize) { self.limit = limit }

    /// Until when a batch of so many publishes waits for more; `nil` if it begins at once.
    func end(with count: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let deadline, now < deadline, count > 0, count < expected else { return nil }
        return deadline
    }

    /// Sets the pace after a commit.
    ///
    /// - Parameters:
    ///   - batch: its publishes, whose writers may come again.
    ///   - waiting: those that wait for the next one.
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
        deadline = isCut || duration < Self.leastDuration ? nil : end + min(duration / 2, Self.longestDelay)
    }
}

/// How many publishes there are, and about how many bytes of memory they take.
struct BatchSize: Hashable, Sendable {
    var count = 0
    var bytes = 0
}
