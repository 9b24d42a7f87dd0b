// SPDX-License-Identifier: Apache-2.0

/// The failed authentications of networks (``ClientAddress/network``): a token bucket for each.
///
/// Bounded: of too many networks, those with the oldest failures are forgotten.
struct FailedAttempts: Sendable {
    private var buckets: [IPAddress?: (level: Double, filledAt: Double)] = [:]
    private let capacity: Double
    private let networks: Int

    init(perMinute: Int, networks: Int = 4096) {
        capacity = Double(max(perMinute, 1))
        self.networks = networks
    }

    /// The seconds after which the client may try again; `nil` if it may now.
    func delay(for client: ClientAddress, at now: Double) -> Int? {
        let level = level(of: client.network, at: now)
        return level >= 1 ? nil : max(1, Int(((1 - level) * 60 / capacity).rounded(.up)))
    }

    mutating func record(_ client: ClientAddress, at now: Double) {
        let network = client.network
        let level = level(of: network, at: now)
        if buckets[network] == nil, buckets.count >= networks { forget(at: now) }
        buckets[network] = (max(0, level - 1), now)
    }

    private func level(of network: IPAddress?, at now: Double) -> Double {
        guard let bucket = buckets[network] else { return capacity }
        return min(capacity, bucket.level + (now - bucket.filledAt) * capacity / 60)
    }

    /// Drops the networks whose buckets are full again, or else the oldest quarter.
    private mutating func forget(at now: Double) {
        buckets = buckets.filter { level(of: $0.key, at: now) < capacity }
        guard buckets.count >= networks else { return }
        let oldest = buckets.sorted { $0.value.filledAt < $1.value.filledAt }.prefix(networks / 4 + 1)
        for (network, _) in oldest { buckets[network] = nil }
    }
}
