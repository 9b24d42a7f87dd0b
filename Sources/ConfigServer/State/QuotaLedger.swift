internal import ConfigModel
internal import HashTreeCollections

/// What the publishes of a batch make of the namespaces, one after the other, and which of them go beyond a quota.
struct QuotaLedger {
    /// What is to become of a publish.
    enum Verdict {
        /// It may be made with those before it.
        case fits
        /// It is beyond a quota only if all before it in the batch are made; they are to be made first.
        case later
        /// It is beyond a quota.
        case refused(StoreError)
    }

    fileprivate struct Account {
        var bytes: Int
        var keys: Int
        /// The bytes of the entries that the batch has touched: `nil` for those that it takes away.
        var touched: [String: Int?] = [:]
    }

    private let quotas: NamespaceQuotas
    private let census: () -> Census
    private var accounts: [String: Account] = [:]
    private var births = 0

    /// How many namespaces there are.
    struct Census {
        /// With entries.
        var live: Int
        /// With those that had entries once.
        var known: Int
    }

    /// - Parameter census: counts the namespaces; is called only where one comes to be.
    init(_ quotas: NamespaceQuotas, census: @escaping () -> Census) {
        (self.quotas, self.census) = (quotas, census)
    }

    /// Whether the batch has something in a namespace already.
    func touches(_ namespace: String) -> Bool { accounts[namespace] != nil }

    /// Judges a publish, and enters it if it fits.
    ///
    /// - Parameter state: the namespace before the batch.
    mutating func judge(_ edits: [String: ConfigValue?], in state: NamespaceState) -> Verdict {
        let old = accounts[state.namespace] ?? Account(bytes: state.entryBytes, keys: state.entries.count)
        let new = old.making(edits, of: state)
        let isBorn = old.keys == 0 && new.keys > 0
        let problem =
            problem(state.namespace, from: old, to: new) ?? (isBorn ? crowd(isNew: state.revision == 0) : nil)
        if let problem {
            let dependsOnOthers = touches(state.namespace) || isBorn && births > 0
            return dependsOnOthers ? .later : .refused(StoreError(.overQuota, problem))
        }
        accounts[state.namespace] = new
        if isBorn { births += 1 }
        return .fits
    }

    private func problem(_ namespace: String, from old: Account, to new: Account) -> String? {
        if new.bytes > quotas.bytes, new.bytes > old.bytes {
            return """
                the namespace '\(namespace)' would hold \(new.bytes) bytes, and it may hold \(quotas.bytes) \
                (--max-namespace-size); remove what is not needed, or ask the server's operator for more
                """
        }
        if new.keys > quotas.keys, new.keys > old.keys {
            return """
                the namespace '\(namespace)' would hold \(new.keys) keys, and it may hold \(quotas.keys) \
                (--max-keys); remove what is not needed, or ask the server's operator for more
                """
        }
        return nil
    }

    private func crowd(isNew: Bool) -> String? {
        let census = census()
        let isFull = census.live + births >= quotas.namespaces
        guard isFull || isNew && census.known + births >= 10 * quotas.namespaces else { return nil }
        return """
            there would be one namespace more than the \(quotas.namespaces) that the server may have \
            (--max-namespaces); empty one that is not needed, or ask the server's operator for more
            """
    }
}

extension QuotaLedger.Account {
    fileprivate func making(_ edits: [String: ConfigValue?], of state: NamespaceState) -> Self {
        var account = self
        for (key, value) in edits {
            let old = touched[key] ?? state.entries[key].map { NamespaceState.byteCount(key, $0.value) }
            let new = value.map { NamespaceState.byteCount(key, $0) }
            account.bytes += (new ?? 0) - (old ?? 0)
            account.keys += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
            account.touched[key] = .some(new)
        }
        return account
    }
}
