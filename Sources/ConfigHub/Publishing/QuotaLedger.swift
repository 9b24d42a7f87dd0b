// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import HashTreeCollections

/// The sizes of namespaces after each publish of a batch, and which publishes exceed a quota.
package struct QuotaLedger {
    enum Decision {
        /// It may be committed with those before it.
        case fits
        /// It exceeds a quota only if all publishes before it in the batch are committed; those must be committed first.
        case later
        case refused(StoreError)
    }

    package struct Size {
        package var bytes: Int
        var schemaBytes: Int
        package var keys: Int

        /// Replaces an entry, if there is one, by another; sizes in bytes.
        fileprivate mutating func replace(_ old: Int?, by new: Int?, isSchema: Bool) {
            bytes += (new ?? 0) - (old ?? 0)
            if isSchema { schemaBytes += (new ?? 0) - (old ?? 0) }
            keys += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
        }
    }

    /// The maximum contents of a namespace once the entered publishes, or some of them, are committed, and the size of each
    /// entry that the batch changes, in bytes; `nil` for deleted ones.
    private typealias Account = (size: Size, touched: [String: Int?])

    private let quotas: NamespaceQuotas
    private let census: () -> Census
    private var accounts: [String: Account] = [:]
    private var newNamespaces = 0

    /// The number of namespaces: with entries, and with or without.
    typealias Census = (live: Int, known: Int)

    /// - Parameter census: counts the namespaces; called only if a namespace is created.
    init(_ quotas: NamespaceQuotas, census: @escaping () -> Census) {
        (self.quotas, self.census) = (quotas, census)
    }

    /// Checks edits against the quotas, and enters them if they fit.
    ///
    /// - Parameters:
    ///   - isCertain: whether only the quota can prevent the commit. Only then do deletes make room for later publishes.
    ///   - state: the namespace before the batch.
    mutating func check(_ edits: [String: EntryValue?], isCertain: Bool, in state: NamespaceState) -> Decision {
        let isTouched = accounts[state.namespace] != nil
        // Removed from the dictionary, so that it is changed in place and not copied.
        var account =
            accounts.removeValue(forKey: state.namespace)
            ?? (size: state.quotaUse, touched: [:])
        var (size, entered) = (account.size, account.size)
        let changes = edits.map { key, value in
            let old = account.touched[key] ?? state.stored(key).map { NamespaceState.byteCount(key, $0.value) }
            let new = value.map { NamespaceState.byteCount(key, $0) }
            // For uncertain edits, only their additions.
            let most = isCertain ? new : [old, new].compactMap(\.self).max()
            let isSchema = EntryKind.schema.name(of: key) != nil
            size.replace(old, by: new, isSchema: isSchema)
            entered.replace(old, by: most, isSchema: isSchema)
            return (key, most)
        }
        let becomesLive = account.size.keys == 0 && size.keys > 0
        let problem =
            problem(state.namespace, account.size, size)
            ?? (becomesLive ? namespacesProblem(isNew: state.revision == 0) : nil)
        if let problem {
            if isTouched { accounts[state.namespace] = account }
            return isTouched || becomesLive && newNamespaces > 0 ? .later : .refused(StoreError(.overQuota, problem))
        }
        account.size = entered
        for (key, bytes) in changes { account.touched[key] = .some(bytes) }
        accounts[state.namespace] = account
        if becomesLive { newNamespaces += 1 }
        return .fits
    }

    private func problem(_ namespace: String, _ old: Size, _ new: Size) -> String? {
        let limits = [
            (new.bytes, old.bytes, quotas.bytes, "bytes"),
            (new.keys, old.keys, quotas.keys, "keys"),
        ]
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
