// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Synchronization

/// The values for other contexts than the program's own, where the source evaluates: without what it has answered for one
/// context.
final class OtherContexts: Sendable {
    private let known = Mutex<(snapshot: EntrySnapshot, order: KeyOrder)?>(nil)

    func values(of snapshot: EntrySnapshot) -> (snapshot: EntrySnapshot, order: KeyOrder) {
        known.withLock { known in
            if let known, known.snapshot.sharedRevision == snapshot.sharedRevision { return known }
            let others = (snapshot.withoutContext(), KeyOrder())
            known = others
            return others
        }
    }
}

extension ConfigState.Snapshot {
    /// Whether a value may be another in another context.
    var dependsOnContext: Bool { snapshot.hasRules || snapshot.dependsOnContext }

    /// Whether values may be others in a context than in a former state, although the program's own are the same.
    func hasOtherValues(than former: ConfigState.Snapshot, in context: EvaluationContext) -> Bool {
        momentCount != former.momentCount || ContextMark(of: self, in: context) != ContextMark(of: former, in: context)
    }

    /// The state whose values and rules apply in a context.
    func state(for other: EvaluationContext) -> ConfigState.Snapshot {
        snapshot.dependsOnContext && !isOwn(other) ? withoutContext() : self
    }

    /// Whether the state is for a context, whose standard attributes may be missing.
    fileprivate func isOwn(_ other: EvaluationContext) -> Bool {
        let context = context ?? EvaluationContext()
        if other == context { return true }
        let version: String? = if case .string(let text)? = context.attributes["version"] { text } else { nil }
        return other.withStandardAttributes(programVersion: version) == context
    }
}

/// The part of a state that its values in a context depend on, but for the time.
struct ContextMark: Equatable {
    /// Whether values that the source has evaluated are those of the context.
    private let isOwn: Bool
    private let revision: UInt64

    init(of current: ConfigState.Snapshot, in context: EvaluationContext) {
        isOwn = current.snapshot.dependsOnContext && current.isOwn(context)
        revision = isOwn ? current.snapshot.revision : current.snapshot.sharedRevision
    }
}
