// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigRules
public import Essentials
package import Observing

/// The configuration that the program shows at this moment, for any thread to read.
///
/// It is replaced whole, so a reader sees one state or the next and never a mixture. It is also the subject of
/// ``ConfigDidUpdate`` on the notification centre.
public final class ConfigState: Sendable {
    package let observed: Observed<Snapshot>
    private let contexts = ContextChanges.ofProgram
    /// A signal for each key, which is sent after the value of the key, or of one below it, was replaced, and before the call
    /// returns that replaced it: for an `ObservedReader` whose listeners are called at once.
    package let changes: KeyedSignals
    /// The readers of ``messages(limit:)``.
    let messageReaders = ObserverList<ConfigDidUpdate>()
    /// The keys that Swift's Observation tracks; with a dot at the end the keys below one, and ``statusKey`` for the status.
    let trackedKeys: TrackedKeys
    /// No key of a configuration.
    static let statusKey = ""
    /// The exposures, which all states share.
    let exposureLog: ExposureLog

    /// A configuration and its relation to its source.
    public struct Snapshot: Hashable, Sendable {
        /// The configuration.
        package var snapshot: EntrySnapshot {
            didSet {
                order = Uncompared(KeyOrder())
                changes = Uncompared(ChangedKeyHistory(from: snapshot.revision))
            }
        }
        /// The relation to the source.
        public var status: SourceStatus
        /// The evaluation context that the rules were evaluated for; `nil` if none is set.
        public internal(set) var context: EvaluationContext?
        /// How often rules were evaluated again because time had passed.
        var momentCount = 0
        private var order = Uncompared(KeyOrder())
        private var changes: Uncompared<ChangedKeyHistory>
        private let rules: Uncompared<KeyedRules>
        /// The rules of all states of the service.
        var compiledRules: KeyedRules { rules.value }
        /// The values for other contexts, of all states of the service.
        private let others = Uncompared(OtherContexts())
        private let clock: Uncompared<@Sendable () -> Timestamp>
        /// The time now, for rules that read it.
        var now: Timestamp { clock.value() }
        var keyOrder: KeyOrder { order.value }
        private let types = Uncompared(TypeProblems())
        var typeProblems: TypeProblems { types.value }
        private let recorded = Uncompared(ExposureLog())
        var exposureLog: ExposureLog { recorded.value }

        /// Creates a state from its parts.
        package init(snapshot: EntrySnapshot, status: SourceStatus) {
            self.init(snapshot: snapshot, status: status, context: nil, rules: KeyedRules()) { .now }
        }

        /// - Parameters:
        ///   - rules: The rules of all states of a service.
        ///   - now: Returns the time.
        init(
            snapshot: EntrySnapshot,
            status: SourceStatus,
            context: EvaluationContext?,
            rules: KeyedRules,
            now: @escaping @Sendable () -> Timestamp
        ) {
            (self.snapshot, self.status, self.context) = (snapshot, status, context)
            (self.rules, clock) = (Uncompared(rules), Uncompared(now))
            changes = Uncompared(ChangedKeyHistory(from: snapshot.revision))
        }

        /// The snapshot for another context.
        ///
        /// - Parameter results: What the rules give in the context.
        func giving(_ results: [EntrySnapshot.RuleResult], for context: EvaluationContext, at time: Timestamp)
            -> Snapshot
        {
            var next = self
            next.context = context
            var values = snapshot
            values.evaluatedAt = time.seconds
            let results = results.filter { !values.has($0) }
            let keys = values.give(results, besides: [], after: snapshot, at: time)
            next.snapshot = values
            // The keys are the same as a rule, and need not be sorted again.
            let keepsKeys = values.entries.haveSameKeys(as: snapshot.entries, except: keys)
            next.order = keepsKeys ? order : Uncompared(KeyOrder(after: order.value, changing: keys))
            return next
        }

        /// The snapshot for other contexts than its own.
        func withoutContext() -> Snapshot {
            var next = self
            let others = others.value.values(of: snapshot)
            next.snapshot = others.snapshot
            next.order = Uncompared(others.order)
            return next
        }
    }

    /// Creates the empty state of a source that has not been read.
    public convenience init(source: String) {
        self.init(Snapshot(snapshot: .empty, status: SourceStatus(source: source)))
    }

    package init(_ current: Snapshot) {
        let observed = Observed(current)
        self.observed = observed
        exposureLog = current.exposureLog
        changes = KeyedSignals { key, didChange in
            observed.observe { if $1.hasOtherValues(than: $0, around: key) { didChange() } }.end
        }
        trackedKeys = TrackedKeys(of: observed) { key, previous, next in
            if key == Self.statusKey { return previous.status != next.status }
            if key.utf8.last == UInt8(ascii: ".") {
                return next.hasOtherValues(than: previous, around: String(key.dropLast()))
            }
            if next.snapshot.layers.count > 1 { return next.hasOtherValues(than: previous, around: key) }
            return previous.snapshot.revision != next.snapshot.revision
                && previous.snapshot.entries[key]?.value != next.snapshot.entries[key]?.value
        }
    }

    /// The state now.
    public var current: Snapshot { observed.value }

    func replace(with next: Snapshot) {
        if observed.read({ $0.context == next.context }) { return observed.replace(with: next) }
        contexts.record { observed.replace(with: next) }
    }
}

extension ConfigState.Snapshot {
    /// The keys of the configuration, sorted. The first use, and the first after added or removed keys, costs a sort.
    public var keys: [String] { keyOrder.keys(of: snapshot.entries) }

    /// The number of different states before this one in this process; 0 is the empty initial state.
    public var revision: UInt64 { snapshot.revision }

    /// The position in the history of a server; `nil` without a server.
    public var cursor: RevisionCursor? { snapshot.cursor }

    /// Whether a key, one of the keys below it or of the objects above it has another value than in a former state.
    func hasOtherValues(than former: ConfigState.Snapshot, around key: String) -> Bool {
        guard snapshot.revision != former.snapshot.revision else { return false }
        // A value of a lower layer may serve readers of another type.
        let isLayered = snapshot.layers.count > 1
        if !isLayered, let changed = changedKeys(since: former.snapshot.revision) {
            return (key.keysAbove + [key]).contains { changed.sortedIndex(of: $0) != nil }
                || !changed.sortedKeys(below: key).isEmpty
        }
        let (keys, formerKeys) = (keys(below: key), former.keys(below: key))
        return keys != formerKeys
            || (key.keysAbove + [key] + keys).contains { key in
                snapshot.entries[key]?.value != former.snapshot.entries[key]?.value
                    || isLayered && snapshot.hasOtherLayers(than: former.snapshot, forKey: key)
            }
    }

    /// The keys whose values were added, changed or removed after a revision of the snapshot, sorted; `nil` if that was
    /// too long ago, or if they are too many to be kept.
    package func changedKeys(since revision: UInt64) -> [String]? { changes.value.keys(since: revision) }

    /// Applies the contents of a source.
    ///
    /// - Parameter time: when the values that are new here are new.
    mutating func show(
        _ update: EntrySnapshot.Update,
        from origin: ValueOrigin = .source,
        modifiedAt: Timestamp?,
        at time: Timestamp
    ) {
        follow(update)
        status.origin = origin
        status.modifiedAt = modifiedAt
        if !update.changedKeys.isEmpty { status.lastChangeAt = time }
    }

    /// The update to a configuration that was not made from this one, such as a cached one: another state if its values, or
    /// the rules or default values for other contexts, differ.
    func update(to other: EntrySnapshot) -> EntrySnapshot.Update {
        (other.numbered(after: snapshot), other.entries.keys(differingFrom: snapshot.entries))
    }

    /// Applies the next configuration.
    package mutating func follow(_ update: EntrySnapshot.Update) {
        let keepsKeys = update.snapshot.entries.haveSameKeys(as: snapshot.entries, except: update.changedKeys)
        var (order, changes) = (order, changes)
        if !keepsKeys {
            let former = snapshot.entries.isEmpty ? nil : order.value
            order = Uncompared(KeyOrder(after: former, changing: update.changedKeys))
        }
        changes.value.note(update.changedKeys, at: update.snapshot.revision)
        snapshot = update.snapshot
        (self.order, self.changes) = (order, changes)
    }
}

/// Posted after the configuration has changed, once for each state; see ``ConfigState/messages(limit:)``.
///
/// A rule that changes without changing a value is not announced; ``ConfigState/observe()`` yields that state as well.
///
/// ```swift
/// for await update in state.messages() {
///     for key in update.changedKeys {
///         print(key, update.values(forKey: key))
///     }
/// }
/// ```
public struct ConfigDidUpdate: NotificationCenter.AsyncMessage {
    /// The state that changed.
    public typealias Subject = ConfigState

    /// The revision that is current now; each message's is higher than the one before.
    public let revision: UInt64
    /// The keys whose value was added, changed or removed, sorted.
    public let changedKeys: [String]

    private let before: ConfigEntries
    private let after: ConfigEntries

    package init(revision: UInt64, changedKeys: [String], from before: ConfigEntries, to after: ConfigEntries) {
        (self.revision, self.changedKeys) = (revision, changedKeys)
        (self.before, self.after) = (before, after)
    }

    /// Creates the record of a state without changes.
    package init(of snapshot: EntrySnapshot) {
        self.init(revision: snapshot.revision, changedKeys: [], from: snapshot.entries, to: snapshot.entries)
    }

    /// The value of a key before and after the change; `nil` where the key was not there.
    public func values(forKey key: String) -> (old: EntryValue?, new: EntryValue?) {
        (before[key]?.value, after[key]?.value)
    }
}
