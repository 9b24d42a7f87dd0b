// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel

// What was typed in a panel is kept when the panel closes.
extension PanelKind {
    /// The kind by which the draft is kept, in whatever way the panel is opened.
    var draft: PanelKind {
        switch self {
        case .edit(let start): .edit(EditStart(key: start.key))
        case .review(let proposal): .review(proposal.outline)
        default: self
        }
    }

    /// The entries whose values or rules the draft has, by the keys by which they are held.
    var draftedEntries: [String] {
        switch self {
        case .edit(let start): [start.key]
        case .rollout(let key): [EntryKind.rule.key(of: key)]
        default: []
        }
    }

    /// The ways on from a draft that is kept.
    var waysOn: String {
        switch self {
        case .edit: "e continues, Ctrl-X discards"
        case .rollout: "R continues, Ctrl-X discards"
        default: "the next review has it"
        }
    }
}

extension DemoIntent {
    /// Discard a draft, after a question.
    static func discarding(_ kinds: [PanelKind], _ name: String) -> DemoIntent {
        .ask("Discard the draft of \(name)?", then: kinds.map(DemoIntent.discard))
    }

    /// The same for changes that are staged without the review.
    var staging: DemoIntent {
        guard case .toggle(.review(let proposal)) = self else { return self }
        return .stage(StagedEdits(proposal.changes, message: proposal.message))
    }
}
