// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import HashTreeCollections

/// The growth of namespaces by the publishes of a batch, and which publishes exceed a quota.
package struct QuotaLedger {
    enum Decision {
        /// It may be committed with those before it.
        case fits
        /// It might exceed a quota together with publishes before it in the batch; those must be committed first.
        case later
        case refused(StoreError)
    }

    package struct Size {
        package var bytes = 0
        var schemaBytes = 0
        package var keys = 0

        /// Replaces an entry, if there is one, by another; sizes in bytes.
        fileprivate mutating func replace(_ old: Int?, by new: Int?, isSchema: Bool) {
            bytes += (new ?? 0) - (old ?? 0)
            if isSchema { schemaBytes += (new ?? 0) - (old ?? 0) }
            keys += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
        }

        fileprivate static func + (left: Size, right: Size) -> Size {
            Size(
                bytes: left.bytes + right.bytes,
                schemaBytes: left.schemaBytes + right.schemaBytes,
                keys: left.keys + right.keys
            )
        }
    }

    private let quotas: NamespaceQuotas
    private let census: () -> Census
    /// How much larger the namespaces of the batch may become at most, whichever of its publishes are committed: removals make no
    /// room for later ones.
    private var growth: [String: Size] = [:]
    private var newNamespaces = 0

    /// The number of namespaces: with entries, and with or without.
    typealias Census = (live: Int, known: Int)

    /// - Parameter census: counts the namespaces; called only if a namespace is created.
    init(_ quotas: NamespaceQuotas, census: @escaping () -> Census) {
        (self.quotas, self.census) = (quotas, census)
    }

    /// Checks edits against the quotas, and enters them if they fit.
    ///
    /// - Parameter state: the namespace before the batch.
    mutating func check(_ edits: [String: EntryValue?], in state: NamespaceState) -> Decision {
        let (present, before) = (state.quotaUse, growth[state.namespace])
        var (alone, most) = (present, before ?? Size())
        for (key, value) in edits {
            let old = state.stored(key).map { NamespaceState.byteCount(key, $0.value) }
            let new = value.map { NamespaceState.byteCount(key, $0) }
            let isSchema = EntryKind.schema.name(of: key) != nil
            alone.replace(old, by: new, isSchema: isSchema)
            most.replace(old, by: [old, new].compactMap(\.self).max(), isSchema: isSchema)
        }
        let isCounted = DraftNamespace.subject(of: state.namespace) == nil
        let becomesLive = isCounted && present.keys + (before?.keys ?? 0) == 0 && most.keys > 0
        let namespacesProblem = becomesLive ? namespacesProblem(isNew: state.revision == 0) : nil
        if namespacesProblem ?? problem(state.namespace, present + (before ?? Size()), present + most) != nil {
            if before != nil || becomesLive && newNamespaces > 0 { return .later }
            if let problem = problem(state.namespace, present, alone) ?? namespacesProblem {
                return .refused(StoreError(.overQuota, problem))
            }
        }
        growth[state.namespace] = most
        if becomesLive { newNamespaces += 1 }
        return .fits
    }

    private func problem(_ namespace: String, _ old: Size, _ new: Size) -> String? {
        // Open drafts have a separate limit, and ended drafts stay.
        let keys = DraftNamespace.subject(of: namespace) == nil ? quotas.keys : .max
        let limits = [(new.bytes, old.bytes, quotas.bytes, "bytes"), (new.keys, old.keys, keys, "keys")]
        for (new, old, quota, unit) in limits where new > quota && new > old {
            return """
                quota of the namespace '\(namespace)' exceeded: \(new) \(unit), limit \(quota); remove unused keys, or \
                ask the operator of the server to raise the quota
                """
        }
        let limit = NamespaceQuotas.schemaBytes
        guard new.schemaBytes > limit, new.schemaBytes > old.schemaBytes else { return nil }
        return """
            schemas of the namespace '\(namespace)' too large: \(new.schemaBytes) bytes, limit \(limit); use patterns \
            such as app.* to share schemas
            """
    }

    private func namespacesProblem(isNew: Bool) -> String? {
        let census = census()
        let isFull = census.live + newNamespaces >= quotas.namespaces
        guard isFull || isNew && census.known + newNamespaces >= 10 * quotas.namespaces else { return nil }
        return """
            too many namespaces: the server's quota is \(quotas.namespaces); empty an unused namespace, or ask the \
            operator of the server to raise the quota
            """
    }
}

extension NamespaceState {
    /// The namespace's use of its quotas. Schemas and rules count like keys.
    package var quotaUse: QuotaLedger.Size {
        QuotaLedger.Size(
            bytes: snapshotBytes + schemaBytes,
            schemaBytes: schemaBytes,
            keys: entries.count + schemas.count + rules.count
        )
    }
}

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
