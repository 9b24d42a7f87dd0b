internal import ConfigModel
internal import ConfigStore
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

    /// What a namespace holds at most once the publishes that were entered have been made, or some of them.
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

    /// Judges edits, and enters them if they fit.
    ///
    /// - Parameters:
    ///   - isCertain: whether nothing but the quota can keep them from being made. What they would take away counts for
    ///     those behind them only then.
    ///   - state: the namespace before the batch.
    mutating func judge(_ edits: [String: ConfigValue?], isCertain: Bool, in state: NamespaceState) -> Verdict {
        let isTouched = accounts[state.namespace] != nil
        // Out of the dictionary, so that it is changed in its place and not copied.
        var account =
            accounts.removeValue(forKey: state.namespace)
            ?? Account(bytes: state.entryBytes, keys: state.entries.count)
        let (bytes, keys) = account.sizes(after: edits, of: state)
        let isBorn = account.keys == 0 && keys > 0
        let problem =
            problem(state.namespace, account, bytes: bytes, keys: keys)
            ?? (isBorn ? crowd(isNew: state.revision == 0) : nil)
        if let problem {
            if isTouched { accounts[state.namespace] = account }
            return isTouched || isBorn && births > 0 ? .later : .refused(StoreError(.overQuota, problem))
        }
        account.enter(edits, isCertain: isCertain, of: state)
        accounts[state.namespace] = account
        if isBorn { births += 1 }
        return .fits
    }

    private func problem(_ namespace: String, _ old: Account, bytes: Int, keys: Int) -> String? {
        if bytes > quotas.bytes, bytes > old.bytes {
            return """
                the namespace '\(namespace)' would hold \(bytes) bytes, and it may hold \(quotas.bytes) \
                (--max-namespace-size); remove what is not needed, or ask the server's operator for more
                """
        }
        if keys > quotas.keys, keys > old.keys {
            return """
                the namespace '\(namespace)' would hold \(keys) keys, and it may hold \(quotas.keys) \
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
    /// What the namespace holds once edits are made as well.
    fileprivate func sizes(after edits: [String: ConfigValue?], of state: NamespaceState) -> (bytes: Int, keys: Int) {
        edits.reduce(into: (bytes, keys)) { sizes, edit in
            let old = size(of: edit.key, in: state)
            let new = edit.value.map { NamespaceState.byteCount(edit.key, $0) }
            sizes.bytes += (new ?? 0) - (old ?? 0)
            sizes.keys += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
        }
    }

    /// Counts edits that may be made; where that is not certain, only what they add.
    fileprivate mutating func enter(_ edits: [String: ConfigValue?], isCertain: Bool, of state: NamespaceState) {
        for (key, value) in edits {
            let old = size(of: key, in: state)
            var new = value.map { NamespaceState.byteCount(key, $0) }
            if !isCertain { new = [old, new].compactMap(\.self).max() }
            bytes += (new ?? 0) - (old ?? 0)
            keys += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
            touched[key] = .some(new)
        }
    }

    private func size(of key: String, in state: NamespaceState) -> Int? {
        touched[key] ?? state.entries[key].map { NamespaceState.byteCount(key, $0.value) }
    }
}

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
