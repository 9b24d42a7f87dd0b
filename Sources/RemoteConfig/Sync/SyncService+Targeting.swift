// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
public import ConfigRules

// Who the program is used by.
extension SyncService {
    /// Who the program is used by: what the rules of the configuration decide by.
    ///
    /// It never leaves the program: rules come with the state, and are evaluated here. The standard attributes are filled in;
    /// see `EvaluationContext.withStandardAttributes(programVersion:)`.
    public var context: EvaluationContext? { evaluator.context }

    /// Sets who the program is used by: when a user signs in, or chooses another language. Values and listeners follow at
    /// once, offline as well, and whatever the ``SyncActivation``.
    ///
    /// - Parameter context: `nil` for nobody in particular: then the values count that everybody gets.
    /// - Returns: what has changed; `nil` if nothing has.
    @discardableResult
    public func setContext(_ context: EvaluationContext?) -> ConfigDidUpdate? {
        let context = context?.withStandardAttributes(programVersion: programVersion)
        guard context != evaluator.context else { return nil }
        evaluator.context = context
        if let source = source as? any EvaluatedSource {
            source.setContext(context)
            if isFollowing { handle(.readNeeded) }
        } else if let layers = source as? any SourceOfLayers {
            // These tasks may run in any order, so each passes on what is current when it runs.
            Task(executorPreference: executor) { await layers.setContext(self.context) }
        }
        let time = now()
        var next = draft
        next.context = context
        let (update, movedKeys) = evaluator.evaluated(again: next.snapshot, at: time)
        if !update.changedKeys.isEmpty {
            next.follow(update, movedKeys: movedKeys)
            next.status.lastChangeAt = time
        }
        if let waiting = staged {
            // Its revision may be that of another state.
            evaluator.forgetWhole()
            let again = evaluator.evaluated(again: waiting.snapshot, at: time).update
            evaluator.forgetWhole()
            stage(waiting.evaluated(again, shown: update), in: &next, at: time)
        }
        return show(next, changedKeys: update.changedKeys)
    }
}
