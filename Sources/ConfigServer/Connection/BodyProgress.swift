internal import NIOCore

/// How long a request's body may go on: never silent for long, and in all as long as a slow line needs for it.
///
/// Whoever sends a byte now and then to hold a connection runs out of time; whoever sends at the least rate does not,
/// however large the body is.
struct BodyProgress {
    private let pause: TimeAmount
    private let leastBytesPerSecond: Int64
    /// When the body has to be there. Each byte puts it off.
    private var end: NIODeadline
    /// How many bytes have come.
    private(set) var bytes = 0
    /// When the client is given up on, unless more comes.
    private(set) var deadline: NIODeadline

    init(from now: NIODeadline, _ limits: ServerLimits) {
        pause = .seconds(Int64(limits.bodyPauseSeconds))
        leastBytesPerSecond = Int64(max(1, limits.bodyBytesPerSecond))
        end = now + .seconds(Int64(limits.bodySeconds))
        deadline = min(end, now + pause)
    }

    /// Bytes have come.
    mutating func received(_ count: Int, at now: NIODeadline) {
        bytes += count
        end = end + .nanoseconds(Int64(count) * (1_000_000_000 / leastBytesPerSecond))
        deadline = min(end, now + pause)
    }
}
