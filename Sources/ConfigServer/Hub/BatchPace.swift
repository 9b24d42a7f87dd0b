/// How long a batch of publishes is gathered.
///
/// Writers who wait for their answers come in two groups if a commit begins as soon as the last one has ended: while one group
/// is on its way to the disk, the other one gathers, and each transaction has half of them. What a transaction costs whatever
/// its size, at the store and at every server that follows it, is then paid twice. So a commit waits for the writers just
/// answered, for half of the last one's time. Where the processors are the limit, waiting for more of them pays as well:
/// fewer transactions take less of the processors.
///
/// A single writer never waits.
struct BatchPace: Hashable, Sendable {
    /// The number of publishes to gather; the batch is not delayed for more.
    private var expected = 0
    /// When the batch begins, however many there are; `nil` if it does not wait.
    private var deadline: ContinuousClock.Instant?

    /// The longest delay: of a store whose commits take long.
    static let longestDelay = Duration.milliseconds(4)

    /// Until when a batch of so many publishes waits for more; `nil` if it begins at once.
    func end(with count: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let deadline, now < deadline, count > 0, count < expected else { return nil }
        return deadline
    }

    /// Sets the pace after a commit.
    ///
    /// - Parameters:
    ///   - count: the number of its publishes, whose writers may come again.
    ///   - waiting: the number of those that came during the commit.
    ///   - duration: how long it took.
    ///   - end: when it ended.
    mutating func committed(_ count: Int, waiting: Int, in duration: Duration, at end: ContinuousClock.Instant) {
        expected = count + waiting
        deadline = end + min(duration / 2, Self.longestDelay)
    }
}
