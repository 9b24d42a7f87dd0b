// SPDX-License-Identifier: Apache-2.0

/// Figures of the same kind, in order of size.
struct Distribution {
    private let sorted: [Double]

    /// - Parameter values: At least one.
    init(_ values: some Sequence<Double>) {
        sorted = values.sorted()
        precondition(!sorted.isEmpty, "a distribution of nothing has no percentiles")
    }

    var count: Int { sorted.count }
    var minimum: Double { sorted[0] }
    var maximum: Double { sorted[sorted.count - 1] }
    var median: Double { percentile(50) }

    /// The least figure that is not exceeded by this many percent of all (the nearest rank).
    func percentile(_ percent: Double) -> Double {
        let rank = (percent / 100 * Double(sorted.count)).rounded(.up)
        return sorted[min(max(Int(rank) - 1, 0), sorted.count - 1)]
    }
}
