/// A set of Unicode scalars, kept as the values at which membership changes.
struct ScalarSet: Sendable {
    /// Each run's first value, then the value after its last, in ascending order.
    let boundaries: [UInt32]

    /// Whether the scalar is a member; a binary search.
    func contains(_ scalar: Unicode.Scalar) -> Bool {
        var low = 0
        var high = boundaries.count
        while low < high {
            let middle = (low + high) / 2
            if boundaries[middle] <= scalar.value { low = middle + 1 } else { high = middle }
        }
        // An odd number of boundaries at or below the value: a run has begun that has not ended.
        return !low.isMultiple(of: 2)
    }
}
