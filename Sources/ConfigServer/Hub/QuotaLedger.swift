internal import ConfigModel
internal import ConfigStore
internal import HashTreeCollections

/// The sizes of namespaces after each publish of a batch, and which publishes exceed a quota.
struct QuotaLedger {
    enum Verdict {
        /// It may be committed with those before it.
        case fits
        /// It exceeds a quota only if all before it in the batch are committed; they are to be committed first.
        case later
        case refused(StoreError)
    }

    /// The most that a namespace holds once the entered publishes, or some of them, are committed.
    fileprivate struct Account {
        var bytes: Int
        var keys: Int
        /// The bytes of the entries that the batch changes; `nil` for those that it deletes.
        var touched: [String: Int?] = [:]
    }

    private let quotas: NamespaceQuotas
    private let census: () -> Census
    private var accounts: [String: Account] = [:]
    private var births = 0

    /// The number of namespaces.
    struct Census {
        /// With entries.
        var live: Int
        /// With or without entries.
        var known: Int
    }

    /// - Parameter census: counts the namespaces; called only if a namespace is created.
    init(_ quotas: NamespaceQuotas, census: @escaping () -> Census) {
        (self.quotas, self.census) = (quotas, census)
    }

    /// Judges edits and enters them if they fit.
    ///
    /// - Parameters:
    ///   - isCertain: whether only the quota can prevent the commit. Only then do deletes make room for later publishes.
    ///   - state: the namespace before the batch.
    mutating func judge(_ edits: [String: EntryValue?], isCertain: Bool, in state: NamespaceState) -> Verdict {
        let isTouched = accounts[state.namespace] != nil
        // Removed from the dictionary, so that it is changed in place and not copied.
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
    /// The sizes after edits.
    fileprivate func sizes(after edits: [String: EntryValue?], of state: NamespaceState) -> (bytes: Int, keys: Int) {
        edits.reduce(into: (bytes, keys)) { sizes, edit in
            let old = size(of: edit.key, in: state)
            let new = edit.value.map { NamespaceState.byteCount(edit.key, $0) }
            sizes.bytes += (new ?? 0) - (old ?? 0)
            sizes.keys += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
        }
    }

    /// Enters edits; if they are not certain, only what they add.
    fileprivate mutating func enter(_ edits: [String: EntryValue?], isCertain: Bool, of state: NamespaceState) {
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
/// A namespace above a quota, such as after the quota was lowered, keeps what it has and may shrink, but not grow.
public struct NamespaceQuotas: Hashable, Sendable {
    /// The most bytes that a namespace's entries may have as JSON: 64 MiB.
    public var bytes = 64 * 1024 * 1024
    /// The most keys that a namespace may have.
    public var keys = 250_000
    /// The most namespaces that may have entries. Ten times as many may have a history.
    public var namespaces = 1000

    /// Creates the quotas that suit most servers.
    public init() {}
}

extension NamespaceQuotas {
    /// The field with the most bytes that a snapshot of the namespace may have.
    static let fieldName = "livery-max-size"

    /// The most bytes that a snapshot of a namespace may have under the present quota, with what surrounds the entries.
    func announcedBytes(for state: NamespaceState) -> Int {
        max(bytes, state.entryBytes) + 1024
    }
}
