/// How long to wait between attempts: about twice as long each time, up to a limit.
struct Backoff: Sendable {
    private var delay: Duration
    private let limit: Duration

    init(from first: Duration = .milliseconds(50), to limit: Duration = .seconds(5)) {
        (delay, self.limit) = (first, limit)
    }

    mutating func next() -> Duration {
        defer { delay = min(delay * 2, limit) }
        // Servers that were hindered by one another do not meet again.
        return delay * Double.random(in: 0.5...1)
    }
}
