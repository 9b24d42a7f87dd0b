// SPDX-License-Identifier: Apache-2.0

/// The whole configuration at one moment, immutable.
///
/// It has layers, each a document with its values, rules and evaluators: those of the source, the topmost first, and below them
/// the defaults of the program. The topmost layer that has a value for a key serves it; where layers have objects, the members are
/// merged. Everything that is read comes from here, so that a value depends on the layers and the context alone.
package struct EntrySnapshot: Sendable {
    /// The number of different states before this one in this process; 0 is the empty initial state.
    package internal(set) var revision: UInt64
    /// The number of different states of what all contexts share: layers that do not depend on the context.
    package private(set) var sharedRevision: UInt64 = 0
    /// The values by key, in the program's context.
    package private(set) var entries = ConfigEntries()
    /// The layers, the topmost first: at least one of the source, and the defaults if ``hasDefaults``.
    package private(set) var layers: [EntryLayer] { didSet { noteLayers() } }
    /// Whether there are rules.
    package private(set) var hasRules = false
    /// Whether a source has evaluated values of a layer for one context.
    package private(set) var dependsOnContext = false
    /// Whether the last layer has the defaults of the program.
    package private(set) var hasDefaults = false
    /// For each key that has keys below it, or is an object in one of several layers, the keys below it in any of them.
    private var branches: [String: [String]] = [:]
    /// The errors of rules that cannot be evaluated in the program's context, sorted by key.
    package var ruleProblems: [ConfigError] = []
    /// The time at which the rules were evaluated, in seconds since 1970.
    package var evaluatedAt = 0
    /// The evaluation that the results of the rules are from; `nil` after a change.
    package var evaluation: EntryLayer.Mark?
    /// Whether the last evaluation has changed values of lower layers, below values that it has not: a reader that
    /// cannot use those reads the lower ones.
    private var hasHiddenChanges = false
    /// The position in the history of a server; `nil` without a server.
    package internal(set) var cursor: RevisionCursor?
    /// The digest of the entries, where they came from a server.
    package internal(set) var digest: ConfigDigest?

    /// The state before anything is known.
    package static let empty = EntrySnapshot(revision: 0, EntryLayer())

    /// A state whose rules have not been evaluated.
    private init(revision: UInt64, _ own: EntryLayer, cursor: RevisionCursor? = nil, digest: ConfigDigest? = nil) {
        (self.revision, layers, self.cursor, self.digest) = (revision, [own], cursor, digest)
        noteLayers()
        mergeLayers()
    }

    /// Copied out once, as each read asks for it.
    private mutating func noteLayers() {
        (hasRules, dependsOnContext) = (layers.contains { $0.hasRules }, layers.contains { $0.dependsOnContext })
    }

    /// The layers of the source.
    package var own: ArraySlice<EntryLayer> { hasDefaults ? layers.dropLast() : layers[...] }

    /// The entries of a source without layers, as it has them.
    package var heldBySource: ConfigEntries { layers[0].held }

    /// Whether its entries are more than those of one document without rules.
    package var isComposed: Bool { layers.count > 1 || hasRules }

    /// The topmost entry of a key: the default value of a key, or a rule by its ``EntryKind``.
    package func held(_ key: String) -> ConfigEntry? { layers.lazy.compactMap { $0.held[key] }.first }

    /// The keys that have rules in any layer.
    package var ruledKeys: Set<String> { layers.reduce(into: []) { $0.formUnion($1.ruledKeys) } }

    /// The topmost layer that serves a key: by its own value, or by a member of an object above the key.
    package func topmostLayer(servingKey key: String) -> Int? {
        layers.count == 1
            ? entries[key].map { _ in 0 } : ValueParts(of: key, below: [], in: self).parts.first?.layer
    }

    /// The value of a key in one of the layers.
    package func value(forKey key: String, inLayer index: Int) -> ConfigEntry? {
        layers.count == 1 ? entries[key] : layers[index].value(forKey: key)
    }
}

// The values of all layers together.
extension EntrySnapshot {
    /// - Parameter keepsBranches: Whether each layer has the keys that it had, and objects for the same keys.
    private mutating func mergeLayers(keepsBranches: Bool = false) {
        evaluation = nil
        if layers.count == 1 {
            entries = layers[0].values
            return
        }
        entries = layers.dropLast().reversed().reduce(layers[layers.count - 1].values) { below, layer in
            layer.values.covering(below)
        }
        if !keepsBranches { findBranches() }
        let keys = Set(branches.keys).union(branches.values.joined())
        entries.replace(keys.map { (key: $0, entry: mergedEntry(forKey: $0)) })
    }

    private mutating func findBranches() {
        branches = [:]
        let names = Set(layers.flatMap { $0.held.keys.map { EntryKind.named($0).name } })
        for name in names {
            for above in name.keysAbove where names.contains(above) { branches[above, default: []].append(name) }
        }
        for layer in layers {
            for key in layer.held.keys where layer.hasObject(key) == true {
                branches[EntryKind.named(key).name, default: []] += []
            }
        }
    }

    /// The value of a key over all layers.
    private func mergedEntry(forKey key: String) -> ConfigEntry? {
        let topmost = layers.lazy.compactMap { $0.value(forKey: key) }.first
        if branches.isEmpty || branches[key] == nil && !key.keysAbove.contains(where: { branches[$0] != nil }) {
            return topmost
        }
        guard topmost != nil else { return nil }
        return ValueParts(of: key, below: branches[key] ?? [], in: self).entry ?? topmost
    }

    /// The keys whose values may be others after a change of a key.
    package func keysAffected(by key: String) -> [String] {
        if branches.isEmpty { return [key] }
        return [key] + (branches[key] ?? [])
            + key.keysAbove.flatMap { above in branches[above].map { [above] + $0 } ?? [] }
    }

    /// The result of a rule in a layer: the value that it gives, `nil` where the default value of its layer counts, and the entry
    /// with that value, `nil` if there is no default value either.
    package typealias RuleResult = (key: String, layer: Int, value: EntryValue?, entry: ConfigEntry?)

    /// Whether the result of a rule is known already.
    package func has(_ result: RuleResult) -> Bool {
        layers.count == 1
            ? entries[result.key]?.value == result.entry?.value
            : layers[result.layer].given[result.key]?.value == result.value
    }

    /// Sets the results of rules, and dates the values that differ from those of a former state; the others keep their dates.
    ///
    /// - Parameters:
    ///   - results: The results, of different rules.
    ///   - names: Further keys whose values may differ; `nil` for all.
    /// - Returns: The keys whose values differ, sorted.
    package mutating func give(
        _ results: [RuleResult],
        besides names: Set<String>?,
        after former: EntrySnapshot,
        at now: Timestamp
    ) -> [String] {
        (evaluation, hasHiddenChanges) = (nil, false)
        guard layers.count > 1 else {
            let given = results.lazy.map { (key: $0.key, entry: $0.entry) }
            if names?.isEmpty == true { return replace(given, after: former, at: now) }
            let others = (names ?? Set(entries.keys).union(former.entries.keys)).subtracting(results.map(\.key))
                .map { (key: $0, entry: entries[$0]) }
            return replace(given + others, after: former, at: now)
        }
        for index in layers.indices {
            let given = results.filter { $0.layer == index }
            layers[index].given.replace(given.map { (key: $0.key, entry: $0.value == nil ? nil : $0.entry) })
        }
        let affected = Set(results.flatMap { keysAffected(by: $0.key) })
        entries.replace(affected.map { (key: $0, entry: mergedEntry(forKey: $0)) })
        let keys = names.map { affected.union($0) } ?? Set(entries.keys).union(former.entries.keys)
        let changed = replace(keys.map { (key: $0, entry: entries[$0]) }, after: former, at: now)
        hasHiddenChanges = keys.contains { hasOtherLayers(than: former, forKey: $0) }
        return changed
    }

    /// Whether a layer has another value of a key than in a former state.
    package func hasOtherLayers(than former: EntrySnapshot, forKey key: String) -> Bool {
        layers.count > 1
            && !layers.elementsEqual(former.layers) { $0.value(forKey: key)?.value == $1.value(forKey: key)?.value }
    }

    private mutating func replace(
        _ values: some Collection<(key: String, entry: ConfigEntry?)>,
        after former: EntrySnapshot,
        at now: Timestamp
    ) -> [String] {
        var (dated, changed): ([(key: String, entry: ConfigEntry?)], [String]) = ([], [])
        dated.reserveCapacity(values.count)
        for (key, entry) in values {
            let known = former.entries[key]
            var next = entry
            if known?.value != entry?.value {
                changed.append(key)
                if known != nil { next?.changedAt = now }
            } else if let known {
                next?.changedAt = known.changedAt
            }
            dated.append((key, next))
        }
        entries.replace(dated)
        return changed.sorted()
    }

    /// The same state with other layers of its source, whose rules have not been evaluated.
    package func replacing(_ own: [EntryLayer]) -> EntrySnapshot {
        var next = self
        next.layers = own + (hasDefaults ? layers.suffix(1) : [])
        for index in next.layers.indices { next.layers[index].given = ConfigEntries() }
        next.mergeLayers()
        return next
    }

    /// The layers that do not depend on the context: other contexts than the program's own share them.
    package func withoutContext() -> EntrySnapshot {
        replacing(own.map { $0.dependsOnContext ? EntryLayer() : $0 })
    }
}

extension ConfigEntries {
    /// The entries with others below them, which count for keys that are not here.
    fileprivate func covering(_ others: ConfigEntries) -> ConfigEntries {
        if count < others.count {
            var covered = others
            covered.replace(map { (key: $0.key, entry: Optional($0.value)) })
            return covered
        }
        var covered = self
        covered.replace(others.filter { self[$0.key] == nil }.map { (key: $0.key, entry: Optional($0.value)) })
        return covered
    }
}

extension EntryLayer {
    /// Whether a value is an object, or a rule gives objects; `nil` if there is no such entry.
    fileprivate func hasObject(_ key: String) -> Bool? {
        held[key].map { EntryKind(of: key) == .value ? $0.value.isObject : $0.value.hasObjectVariants }
    }
}

extension EntryValue {
    /// Whether a rule gives objects.
    fileprivate var hasObjectVariants: Bool {
        guard case .object(let members) = self, case .object(let variants)? = members["variants"] else { return false }
        return variants.contains { $0.value.isObject }
    }
}

extension EntrySnapshot {
    /// A state and its difference from the one before: keys of values, and of rules by their ``EntryKind``.
    ///
    /// An entry with a new rule, or with a new value and a rule, has the default value until its rule is evaluated.
    package typealias Update = (snapshot: EntrySnapshot, changedKeys: [String])

    /// The same state over the defaults of the program, which count for keys that the source does not have.
    package func over(_ document: ConfigDocument, from source: String, at now: Timestamp) -> EntrySnapshot {
        let defaults = EntrySnapshot.empty.updated(with: document, from: source, at: now).snapshot.layers[0]
        if defaults.held.isEmpty { return self }
        var next = self
        (next.layers, next.hasDefaults, next.revision) = (own + [defaults], true, max(revision, 1))
        next.mergeLayers()
        return next
    }

    /// The state that follows this one when a source's document is read, and changed entries count from now.
    ///
    /// - Parameter text: The document's text, if the next one may follow as an edit.
    /// - Returns: the new state, and the keys whose value was added, changed or removed, sorted. Without such
    ///   keys the revision stays as it is.
    package func updated(
        with document: ConfigDocument,
        of text: DividedText.Mark? = nil,
        from source: String,
        at now: Timestamp
    ) -> Update {
        var held = document.entries
        for (name, rule) in document.rules { held.update(rule, forKey: EntryKind.rule.key(of: name)) }
        var update = replaced(by: held) {
            ConfigEntry(value: $0.value, source: source, location: $0.location, changedAt: now)
        }
        update.snapshot.layers[0].text = text
        return update
    }

    /// The state that follows this one when a part of a source's document is read again: the same as after the whole document.
    ///
    /// - Returns: The new state, and the changed keys, sorted; `nil` if this state is not that of the former text, or if a key
    ///   is a duplicate: then the whole document must be read.
    package func updated(with edit: DividedText.Edit, from source: String, at now: Timestamp) -> Update? {
        var layer = layers[0]
        guard own.count == 1, layer.text === edit.base else { return nil }
        for key in edit.entries.keys + edit.branches {
            if let known = layer.held[key]?.location, !edit.replaced.contains(known) { return nil }
        }
        if edit.end.former != edit.end.next {
            layer.moveEntries { $0 < edit.end.former ? $0 : edit.moved($0) }
        }
        var changedKeys: [String] = []
        for key in edit.formerKeys where edit.entries.index(of: key) == nil {
            _ = layer.set(nil, forKey: key)
            changedKeys.append(key)
        }
        for (key, read) in edit.entries {
            let known = layer.held[key]
            let isSame = known?.value == read.value
            if !isSame { changedKeys.append(key) }
            if isSame, known?.location == read.location { continue }
            let time = isSame ? known?.changedAt ?? now : now
            let entry = ConfigEntry(value: read.value, source: source, location: read.location, changedAt: time)
            _ = layer.set(entry, forKey: key)
        }
        layer.text = edit.next
        if layer.mark === layers[0].mark {
            var next = self
            next.layers[0] = layer
            return (next, [])
        }
        return following(
            [layer],
            changing: changedKeys.sorted(),
            isWhole: true,
            isShared: !layer.dependsOnContext
        )
    }

    /// The next state for entries that were read from separate sources: changed entries are dated now, and entries that are
    /// read for the first time keep their own dates.
    ///
    /// - Returns: the new state, and the keys whose value was added, changed or removed, sorted.
    package func updated(with entries: ConfigEntries, at now: Timestamp) -> Update {
        let isFirst = revision == 0
        return replaced(by: entries.joined) {
            var entry = $0
            entry.changedAt = isFirst ? min(entry.changedAt, now) : now
            return entry
        }
    }

    /// The next state for the layers of a source, the topmost first.
    ///
    /// - Returns: The new state, and the keys that are others in any layer, sorted.
    package func updated(with layers: [EntryLayer]) -> Update {
        let (known, next) = (Array(own), layers.isEmpty ? [EntryLayer()] : layers)
        var (changedKeys, isShared): (Set<String>, Bool) = ([], false)
        for index in 0..<max(known.count, next.count) {
            let (former, layer) = (index < known.count ? known[index] : nil, index < next.count ? next[index] : nil)
            if let former, former.mark === layer?.mark { continue }
            let keys = (layer?.held ?? ConfigEntries()).keys(differingFrom: former?.held ?? ConfigEntries())
            changedKeys.formUnion(keys)
            if !keys.isEmpty, layer?.dependsOnContext != true { isShared = true }
        }
        return following(next, changing: changedKeys.sorted(), isWhole: true, isShared: isShared)
    }

    /// The state that follows this one when the whole state of a server is read.
    ///
    /// - Returns: the new state with the server's cursor and digest, and the keys that changed, sorted.
    /// - Throws: `damaged` if the entries do not have the digest that the server announced.
    package func updated(
        with state: ServerSnapshot,
        from source: String,
        at now: Timestamp
    ) throws(ConfigError) -> Update {
        guard ConfigDigest(state.entries.lazy.map { ($0.key, $0.value) }) == state.digest else {
            let message = "digest mismatch: the values do not match the server's digest \(state.digest)"
            throw ConfigError(.damaged, message, source: source)
        }
        var update = replaced(by: state.entries) { ConfigEntry(value: $0, source: source, changedAt: now) }
        (update.snapshot.cursor, update.snapshot.digest) = (state.cursor, state.digest)
        return update
    }

    /// The state that follows this one after a server's change. For a source without layers and defaults, the cost depends on
    /// the change alone.
    ///
    /// - Returns: the new state, and the keys that changed, sorted; `nil` if the change does not apply to this state, or if the
    ///   result does not have the digest that the server announced: then the whole state must be fetched.
    package func updated(
        with changes: Changeset,
        epoch: Epoch,
        from source: String,
        at now: Timestamp
    ) -> Update? {
        guard cursor == RevisionCursor(epoch: epoch, revision: changes.from), var digest else { return nil }
        var layer = layers[0]
        var changedKeys: [String] = []
        for key in changes.values.deletes {
            guard let known = layer.set(nil, forKey: key) else { continue }
            digest.remove(known.value, forKey: key)
            changedKeys.append(key)
        }
        for (key, value) in changes.values.upserts {
            if layer.held[key]?.value == value { continue }
            let known = layer.set(ConfigEntry(value: value, source: source, changedAt: now), forKey: key)
            if let known { digest.remove(known.value, forKey: key) }
            digest.insert(value, forKey: key)
            changedKeys.append(key)
        }
        guard digest == changes.digest else { return nil }
        var update = following([layer], changing: changedKeys.sorted(), isWhole: false, isShared: true)
        (update.snapshot.cursor, update.snapshot.digest) = (RevisionCursor(epoch: epoch, revision: changes.to), digest)
        return update
    }

    private func replaced<Read>(by read: KeyedValues<Read>, _ entry: (Read) -> ConfigEntry) -> Update {
        let own = layers[0].held
        var search = ConfigEntries.Search(own)
        var (next, changedKeys, knownCount, movedCount): ([ConfigEntry], [String], Int, Int) = ([], [], 0, 0)
        next.reserveCapacity(read.count)
        for (index, key) in read.keys.enumerated() {
            var entry = entry(read.values[index])
            let known = search.entry(of: key)
            if known != nil { knownCount += 1 }
            if let known, known.value == entry.value {
                entry.changedAt = known.changedAt
            } else {
                changedKeys.append(key)
            }
            if known?.location != entry.location || known?.source != entry.source { movedCount += 1 }
            next.append(entry)
        }
        if knownCount < own.count {
            for key in own.keys where read.index(of: key) == nil { changedKeys.append(key) }
        }
        // Nothing changed: the current storage is kept, and nothing has to be freed.
        if changedKeys.isEmpty, movedCount == 0, self.own.count == 1 { return (self, []) }
        let isShared = !layers[0].dependsOnContext
        let layer = EntryLayer(ConfigEntries(read.replacing(with: next)), dependsOnContext: !isShared)
        return following([layer], changing: changedKeys.sorted(), isWhole: true, isShared: isShared)
    }

    /// The state after a change of the source's layers, with the results of rules that have not changed.
    ///
    /// - Parameters:
    ///   - changedKeys: Sorted.
    ///   - isWhole: Whether other entries may have moved.
    ///   - isShared: Whether a layer has changed that does not depend on the context.
    private func following(
        _ own: [EntryLayer],
        changing changedKeys: [String],
        isWhole: Bool,
        isShared: Bool
    ) -> Update {
        var next = self
        next.layers = own + (hasDefaults ? layers.suffix(1) : [])
        (next.cursor, next.digest, next.evaluation) = (nil, nil, nil)
        if !changedKeys.isEmpty {
            next.revision += 1
            if isShared { next.sharedRevision += 1 }
        }
        if !isComposed, !next.isComposed {
            next.entries = own[0].held
            return (next, changedKeys)
        }
        let names = Set(changedKeys.map { EntryKind.named($0).name })
        next.ruleProblems = ruleProblems.filter { problem in problem.key.map { !names.contains($0) } ?? false }
        if next.layers.count > 1 {
            for index in own.indices where layers.count == next.layers.count {
                next.layers[index].keepResults(of: layers[index], besides: names)
            }
            // Of many keys that have changed, some are new as a rule.
            let keepsBranches =
                layers.count == next.layers.count && changedKeys.count <= 1000
                && changedKeys.allSatisfy { key in
                    zip(layers, next.layers).allSatisfy { $0.hasObject(key) == $1.hasObject(key) }
                }
            next.mergeLayers(keepsBranches: keepsBranches)
        } else {
            // The results of unchanged rules stay.
            let keys = isWhole ? own[0].ruledKeys.filter { !names.contains($0) } : []
            if isWhole { next.entries = own[0].values }
            next.entries.replace(keys.map { (key: $0, entry: entries[$0]) })
            next.entries.replace(names.map { (key: $0, entry: own[0].held[$0]) })
        }
        return (next, changedKeys)
    }
}

extension EntrySnapshot {
    /// The same state after a change in an unchanged configuration, such as of the context.
    ///
    /// - Parameter changedKeys: The keys whose values have changed.
    package func following(_ changedKeys: [String]) -> EntrySnapshot {
        changedKeys.isEmpty && !hasHiddenChanges ? self : numbered(revision + 1)
    }

    /// The same state as the one of another number in this process.
    package func numbered(_ revision: UInt64) -> EntrySnapshot {
        var snapshot = self
        snapshot.revision = revision
        return snapshot
    }

    /// A state that was kept from an earlier run of a program; it counts as the first of this process.
    package init(
        kept entries: ConfigEntries,
        cursor: RevisionCursor? = nil,
        digest: ConfigDigest? = nil,
        dependsOnContext: Bool = false
    ) {
        let layer = EntryLayer(entries, dependsOnContext: dependsOnContext)
        self.init(revision: entries.isEmpty ? 0 : 1, layer, cursor: cursor, digest: digest)
    }

    /// The state of the layers of a source at the start of a program, the topmost first.
    package init(layers: [EntryLayer]) {
        self = EntrySnapshot.empty.replacing(layers.isEmpty ? [EntryLayer()] : layers)
        revision = layers.contains { !$0.held.isEmpty } ? 1 : 0
    }

    /// The same state as the one that follows another, which it was not made from.
    package func numbered(after former: EntrySnapshot) -> EntrySnapshot {
        var next = self
        // Also a value below an equal one counts: a program that reads another type may pass over the upper layer.
        let isSame = layers.elementsEqual(former.layers) {
            $0.hasSameEntries(as: $1) && $0.given.keys(differingFrom: $1.given).isEmpty
        }
        let isOther = !isSame || !entries.keys(differingFrom: former.entries).isEmpty
        next.revision = former.revision + (isOther ? 1 : 0)
        let shared = (layers.filter { !$0.dependsOnContext }, former.layers.filter { !$0.dependsOnContext })
        let isShared = shared.0.elementsEqual(shared.1) { $0.hasSameEntries(as: $1) }
        next.sharedRevision = former.sharedRevision + (isShared ? 0 : 1)
        return next
    }

    /// The keys of values, and of rules by their ``EntryKind``, that are others than in another state, in any context.
    package func heldKeys(differingFrom other: EntrySnapshot) -> Set<String> {
        if layers.count != other.layers.count { return Set((layers + other.layers).flatMap { $0.held.keys }) }
        return zip(layers, other.layers).reduce(into: []) { keys, pair in
            if pair.0.mark === pair.1.mark { return }
            keys.formUnion(pair.0.held.keys(differingFrom: pair.1.held).filter { hasOther($0, than: other) })
        }
    }

    /// Whether a key has another value, or a rule by its ``EntryKind``, than in another state. A value over an equal
    /// one is not different, unless some users lack the lower one, or there are keys above or below it.
    package func hasOther(_ key: String, than other: EntrySnapshot) -> Bool {
        if layers.elementsEqual(other.layers, by: { $0.held[key]?.value == $1.held[key]?.value }) { return false }
        let name = EntryKind.named(key).name
        let isAlone = [self, other].allSatisfy { !$0.dependsOnContext && $0.keysAffected(by: name).count == 1 }
        return !isAlone || name == EntryKind.sharedRules || serving(name) != other.serving(name)
    }

    /// The values that serve a key, from the topmost layer down: in each layer its rule and its default value. Equal rules of two
    /// layers may refer to different evaluators.
    private func serving(_ name: String) -> [[EntryValue?]] {
        let rule = EntryKind.rule.key(of: name)
        return layers.reduce(into: []) { parts, layer in
            let part = [layer.held[rule]?.value, layer.held[name]?.value]
            if part[0] != nil || part[1] != nil && part != parts.last { parts.append(part) }
        }
    }
}

extension EntrySnapshot: Hashable {
    /// Equal when the same values can be read from both, in every context.
    package static func == (left: EntrySnapshot, right: EntrySnapshot) -> Bool {
        left.revision == right.revision && left.cursor == right.cursor && left.digest == right.digest
            && left.entries == right.entries && left.layers == right.layers && left.ruleProblems == right.ruleProblems
    }

    /// Hashes the values.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(revision)
        hasher.combine(entries)
    }
}
