// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Synchronization

/// The values of states for other contexts than their own, where the source evaluates: it has answered for one context.
final class OtherContexts: Sendable {
    private let values: @Sendable () -> EntrySnapshot
    private let known = Mutex<ConfigState.Snapshot?>(nil)

    /// - Parameter values: Returns what does not depend on the context, when it is first needed.
    init(_ values: @escaping @Sendable () -> EntrySnapshot) { self.values = values }

    /// A state without the values that the source has given for its context.
    fileprivate func state(after current: ConfigState.Snapshot) -> ConfigState.Snapshot {
        let others = known.withLock { known in
            if let known { return known }
            let snapshot = values().numbered(current.snapshot.revision)
            let others = ConfigState.Snapshot(snapshot: snapshot, status: current.status)
            known = others
            return others
        }
        return current.replacing(with: others)
    }
}

extension ConfigState.Snapshot {
    /// Whether a value may be another in another context.
    var dependsOnContext: Bool { snapshot.hasRules || others.value != nil }

    /// Whether values may be others in other contexts than in a former state, although the program's own are the same.
    func hasOtherContexts(than former: ConfigState.Snapshot) -> Bool {
        snapshot.revision != former.snapshot.revision || others.value !== former.others.value
    }

    /// The state whose values and rules apply in a context.
    func state(for other: EvaluationContext) -> ConfigState.Snapshot {
        guard let others = others.value, !isOwn(other) else { return self }
        return others.state(after: self)
    }

    /// Whether the state is for a context, whose standard attributes may be missing.
    private func isOwn(_ other: EvaluationContext) -> Bool {
        let context = context ?? EvaluationContext()
        if other == context { return true }
        let version: String? = if case .string(let text)? = context.attributes["version"] { text } else { nil }
        return other.withStandardAttributes(programVersion: version) == context
    }
}
