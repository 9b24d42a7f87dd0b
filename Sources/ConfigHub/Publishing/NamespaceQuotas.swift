// SPDX-License-Identifier: Apache-2.0

/// The quotas of a server's namespaces.
///
/// A namespace above a quota, for example after the quota was lowered, keeps its contents and may shrink, but not grow.
public struct NamespaceQuotas: Hashable, Sendable {
    /// The maximum size in bytes of a namespace's entries and schemas as JSON: 64 MiB.
    public var bytes = 64 * 1024 * 1024
    /// The maximum number of keys and schemas of a namespace.
    public var keys = 250_000
    /// The maximum number of namespaces with entries. Ten times as many may have a history.
    public var namespaces = 1000

    /// The maximum size in bytes of all schemas of a namespace as JSON, so that they stay in memory compiled: 1 MiB.
    public static let schemaBytes = 1024 * 1024

    /// Creates the quotas that suit most servers.
    public init() {}

    /// The header field with the maximum size of a snapshot of the namespace.
    package static let fieldName = "livery-max-size"

    /// The maximum size in bytes of a snapshot of a namespace under the present quota, with what surrounds the entries.
    package func announcedBytes(for state: NamespaceState) -> Int {
        max(bytes, state.snapshotBytes) + 1024
    }
}
