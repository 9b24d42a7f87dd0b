/// How much the namespaces of a server may hold.
///
/// What is there already, such as before a quota was lowered, stays and may shrink, but it does not grow.
public struct NamespaceQuotas: Hashable, Sendable {
    /// The most bytes that a namespace's entries may have as JSON: 64 MiB.
    public var bytes = 64 * 1024 * 1024
    /// The most keys that a namespace may have.
    public var keys = 250_000
    /// The most namespaces that may have entries. Ten times as many are remembered that had some once.
    public var namespaces = 1000

    /// Creates the quotas that suit most servers.
    public init() {}
}

extension NamespaceQuotas {
    /// The field of an answer that says how many bytes a snapshot of the namespace may have.
    static let fieldName = "livery-max-size"

    /// How many bytes a snapshot of a namespace may have until the quota is raised, with what stands around the entries.
    func announcedBytes(for state: NamespaceState) -> Int {
        max(bytes, state.entryBytes) + 1024
    }
}
