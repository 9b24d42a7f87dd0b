public import ConfigModel

extension TweakRepository {
    /// Whether there is an edit to undo.
    public var canUndo: Bool {
        access()
        return withHistory { !$0.edits.isEmpty }
    }

    /// Takes the last edit back, be it of one tweak or the reset of all.
    ///
    /// - Returns: whether there was one.
    /// - Throws: why the overrides cannot be kept; the edit can be undone later then.
    @discardableResult
    public func undo() throws(ConfigError) -> Bool {
        guard let edit = withHistory({ $0.edits.popLast() }) else { return false }
        do throws(ConfigError) {
            try store(edit.before)
        } catch {
            withHistory { $0.edits.append(edit) }
            throw error
        }
        return true
    }

    /// Removes the overrides of all tweaks.
    public func resetAll() throws(ConfigError) { try reset { _ in true } }

    /// Removes the overrides of the tweaks of a category.
    public func reset(category: String) throws(ConfigError) { try reset { $0.place.category == category } }

    /// Removes the override of a tweak.
    public func reset<Value>(_ definition: TweakDefinition<Value>) throws(ConfigError) {
        try reset { $0.id == definition.id }
    }

    private func reset(where isMeant: (Tweak) -> Bool) throws(ConfigError) {
        let meant = rows.compactMap(\.tweak).filter(isMeant)
        try edit(Dictionary(meant.map { ($0.id, nil) }) { first, _ in first })
    }

    /// Sets or removes overrides of known tweaks, and remembers what was before.
    ///
    /// No lock is held while the overrides are stored, which calls listeners.
    func edit(_ overrides: [String: JSONValue?], isContinuing: Bool = false) throws(ConfigError) {
        var before: [String: JSONValue?] = [:]
        for (id, value) in overrides {
            guard let tweak = knownTweak(id) else { continue }
            let stored = storedOverride(at: tweak.address)
            if stored != value { before[id] = .some(stored) }
        }
        if before.isEmpty { return }
        // Remembered first: a listener may edit as well, and what came later is to be undone earlier.
        let mark = withHistory { $0.record(before, isContinuing: isContinuing) }
        do throws(ConfigError) {
            try store(overrides.filter { before[$0.key] != nil })
        } catch {
            withHistory { $0.edits.removeAll { $0.number == mark } }
            throw error
        }
    }

    private func store(_ overrides: [String: JSONValue?]) throws(ConfigError) {
        var persistent: [String: JSONValue?] = [:]
        var volatile: [String: JSONValue?] = [:]
        for (id, value) in overrides {
            guard let address = knownTweak(id)?.address else { continue }
            if address.storage == .memory {
                volatile[address.key] = .some(value)
            } else {
                persistent[address.key] = .some(value)
            }
        }
        if !persistent.isEmpty { try persistentStore.apply(persistent) }
        if !volatile.isEmpty { memoryStore.apply(volatile) }
    }
}

/// What can be undone: the overrides before each edit, newest last.
struct TweakHistory: Sendable {
    /// What one edit has changed.
    struct Edit: Sendable {
        var number: Int
        /// The overrides before, by tweak; `nil` for none.
        var before: [String: JSONValue?]
    }

    /// How many edits are remembered.
    static let limit = 1000

    var edits: [Edit] = []
    private var count = 0

    /// Remembers an edit.
    /// - Parameter isContinuing: whether it goes on with the last one, if that was of the same tweaks.
    /// - Returns: the edit's number; `nil` if nothing new had to be remembered.
    mutating func record(_ before: [String: JSONValue?], isContinuing: Bool) -> Int? {
        // What was before the first of the edits that belong together is what undoing leads back to.
        if isContinuing, let last = edits.last, Set(last.before.keys) == Set(before.keys) { return nil }
        count += 1
        edits.append(Edit(number: count, before: before))
        if edits.count > Self.limit { edits.removeFirst(edits.count - Self.limit) }
        return count
    }
}
