// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A limit for the bytes of many requests' bodies together, or of many answers: the maximum number of connections, each
/// with its maximum, would exceed the memory of any machine.
final class MemoryBudget: Sendable {
    private let limit: Int
    private let bytes = Atomic(0)

    init(limit: Int) { self.limit = limit }

    var used: Int { bytes.load(ordering: .relaxed) }

    /// - Parameter own: how many bytes the caller has taken before: any number fits if these are the only ones. `nil` to
    ///   keep the limit in any case.
    /// - Returns: whether the bytes fit; otherwise none are taken.
    func take(_ count: Int, besides own: Int? = nil) -> Bool {
        let (old, new) = bytes.wrappingAdd(count, ordering: .relaxed)
        if new <= limit || old == own { return true }
        give(back: count)
        return false
    }

    func give(back count: Int) {
        if count > 0 { bytes.wrappingSubtract(count, ordering: .relaxed) }
    }
}
