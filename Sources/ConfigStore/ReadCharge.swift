// SPDX-License-Identifier: Apache-2.0

/// Counts what a store reads for one client while it reads it, so that the past takes no more memory than a server allows.
///
/// A store charges each row before it keeps the row. What it reads to commit is not charged (``free``).
public struct ReadCharge: Sendable {
    private let take: @Sendable (_ bytes: Int) -> Bool

    /// Creates a charge.
    ///
    /// - Parameter take: returns whether there is room for so many bytes more.
    public init(_ take: @escaping @Sendable (_ bytes: Int) -> Bool) { self.take = take }

    /// Without a limit.
    public static let free = ReadCharge { _ in true }

    /// The memory of a row besides its texts, in bytes.
    private static let overhead = 128

    /// Charges a row.
    ///
    /// - Parameter bytes: The bytes of its texts.
    /// - Throws: `overBudget` if there is no room for it.
    public func row(_ bytes: Int) throws(StoreError) {
        if take(bytes + Self.overhead) { return }
        throw StoreError(.overBudget, "memory limit for responses reached; try again in a moment, or request less data")
    }
}
