/// How often addresses have failed to authenticate: a bucket for each that fills with time.
///
/// Bounded: of too many addresses the one that has failed longest ago is forgotten. IPv6 addresses count by their /64,
/// which is what one customer has.
struct FailedAttempts: Sendable {
    private struct Bucket {
        var level: Double
        var filledAt: Double
    }

    private var buckets: [String: Bucket] = [:]
    private let capacity: Double
    private let addresses: Int

    /// - Parameters:
    ///   - perMinute: how many failures an address has a minute.
    ///   - addresses: of how many addresses at most it is known.
    init(perMinute: Int, addresses: Int = 4096) {
        capacity = Double(perMinute)
        self.addresses = addresses
    }

    /// - Parameter now: seconds on a clock that never goes back.
    /// - Returns: the seconds after which the address may try again, or `nil` if it may now.
    func delay(for address: String, at now: Double) -> Int? {
        guard let bucket = buckets[address] else { return nil }
        let level = self.level(of: bucket, at: now)
        return level >= 1 ? nil : max(1, Int(((1 - level) * 60 / capacity).rounded(.up)))
    }

    /// Takes note of a failure.
    mutating func record(_ address: String, at now: Double) {
        let level = buckets[address].map { self.level(of: $0, at: now) } ?? capacity
        if buckets[address] == nil, buckets.count >= addresses { forget(at: now) }
        buckets[address] = Bucket(level: max(0, level - 1), filledAt: now)
    }

    private func level(of bucket: Bucket, at now: Double) -> Double {
        min(capacity, bucket.level + (now - bucket.filledAt) * capacity / 60)
    }

    /// Drops the addresses that have nothing against them any more, or else the oldest quarter.
    private mutating func forget(at now: Double) {
        buckets = buckets.filter { level(of: $0.value, at: now) < capacity }
        guard buckets.count >= addresses else { return }
        let oldest = buckets.sorted { $0.value.filledAt < $1.value.filledAt }.prefix(addresses / 4 + 1)
        for (address, _) in oldest { buckets[address] = nil }
    }
}
