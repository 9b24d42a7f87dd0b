/// How long a batch of publishes is gathered.
///
/// Writers who wait for their answers come in two groups if a commit begins as soon as the last one has ended: while one group
/// is on its way to the disk, the other one gathers, and each transaction has half of them. A commit that waits a fraction of
/// its own time for those who were just answered has all of them. A writer who comes alone never waits.
struct BatchPace: Hashable, Sendable {
    /// The number of publishes to gather; the batch is not delayed for more.
    private(set) var expected = 0
    /// When the batch begins, however many there are.
    private(set) var deadline: ContinuousClock.Instant?

    /// The longest delay: of a store whose commits take long.
    static let longestDelay = Duration.milliseconds(4)

    /// Nothing is known of the writers.
    init() {}

    /// The pace after a commit.
    ///
    /// - Parameters:
    ///   - answered: the number of its publishes, whose writers may come again.
    ///   - waiting: the number of those that came during the commit.
    ///   - duration: how long it took.
    ///   - end: when it ended.
    init(answered: Int, waiting: Int, in duration: Duration, at end: ContinuousClock.Instant) {
        expected = answered + waiting
        deadline = end + min(duration / 4, Self.longestDelay)
    }

    /// Until when a batch of so many publishes waits for more; `nil` if it begins at once.
    func end(with count: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard let deadline, now < deadline, count > 0, count < expected else { return nil }
        return deadline
    }
}
