// SPDX-License-Identifier: Apache-2.0

/// How much the namespaces of a server may hold.
///
/// A namespace above a quota, such as after the quota was lowered, keeps what it has and may shrink, but not grow.
public struct NamespaceQuotas: Hashable, Sendable {
    /// The most bytes that a namespace's entries and schemas may have as JSON: 64 MiB.
    public var bytes = 64 * 1024 * 1024
    /// The most keys and schemas that a namespace may have.
    public var keys = 250_000
    /// The most namespaces that may have entries. Ten times as many may have a history.
    public var namespaces = 1000

    /// The most bytes that the schemas of a namespace may have together as JSON, so that they stay in memory compiled: 1 MiB.
    public static let schemaBytes = 1024 * 1024

    /// Creates the quotas that suit most servers.
    public init() {}

    /// The field with the most bytes that a snapshot of the namespace may have.
    package static let fieldName = "livery-max-size"

    /// The most bytes that a snapshot of a namespace may have under the present quota, with what surrounds the entries.
    package func announcedBytes(for state: NamespaceState) -> Int {
        max(bytes, state.snapshotBytes) + 1024
    }
}
