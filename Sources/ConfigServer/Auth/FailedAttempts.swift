/// The failed authentications of networks (``ClientAddress/network``): a token bucket for each.
///
/// Bounded: of too many networks, those with the oldest failures are forgotten.
struct FailedAttempts: Sendable {
    private struct Bucket {
        var level: Double
        var filledAt: Double
    }

    private var buckets: [IPAddress?: Bucket] = [:]
    private let capacity: Double
    private let networks: Int

    /// - Parameters:
    ///   - perMinute: the failures that a network may have per minute.
    ///   - networks: the most networks that are remembered.
    init(perMinute: Int, networks: Int = 4096) {
        capacity = Double(perMinute)
        self.networks = networks
    }

    /// - Parameter now: seconds on a clock that never goes back.
    /// - Returns: the seconds after which the client may try again, or `nil` if it may now.
    func delay(for client: ClientAddress, at now: Double) -> Int? {
        guard let bucket = buckets[client.network] else { return nil }
        let level = self.level(of: bucket, at: now)
        return level >= 1 ? nil : max(1, Int(((1 - level) * 60 / capacity).rounded(.up)))
    }

    /// Records a failure.
    mutating func record(_ client: ClientAddress, at now: Double) {
        let network = client.network
        let level = buckets[network].map { self.level(of: $0, at: now) } ?? capacity
        if buckets[network] == nil, buckets.count >= networks { forget(at: now) }
        buckets[network] = Bucket(level: max(0, level - 1), filledAt: now)
    }

    private func level(of bucket: Bucket, at now: Double) -> Double {
        min(capacity, bucket.level + (now - bucket.filledAt) * capacity / 60)
    }

    /// Drops the networks whose buckets are full again, or else the oldest quarter.
    private mutating func forget(at now: Double) {
        buckets = buckets.filter { level(of: $0.value, at: now) < capacity }
        guard buckets.count >= networks else { return }
        let oldest = buckets.sorted { $0.value.filledAt < $1.value.filledAt }.prefix(networks / 4 + 1)
        for (network, _) in oldest { buckets[network] = nil }
    }
}
