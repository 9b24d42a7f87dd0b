// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

extension Question {
    static func resettingCategory(_ name: String) -> Question {
        Question(text: "Reset all tweaks in \(name)?", intents: [.tweak(.resetCategory(name))])
    }

    static let resettingAllTweaks = Question(text: "Reset all tweaks?", intents: [.tweak(.resetAll)])

    /// - Parameter items: the rows of the tweaks.
    init(_ question: TweakStepQuestion, _ items: [TweakItem]) {
        let text = question.text(items.first { $0.id == question.conflict.id })
        // The value of another program is overwritten.
        self.init(text: text, intents: [.tweak(.step(question.step, isConfirmed: true))])
    }
}

extension TweakStepQuestion {
    /// Both values, and the effect of the step.
    fileprivate func text(_ item: TweakItem?) -> String {
        let shown = { (value: EntryValue?) in
            value.map { value in
                (item?.row.tweak?.preview(of: value) ?? value.canonicalJSON).excerpt(ofScalars: 40)
            } ?? "no override"
        }
        let verb = step == .undo ? "Undo" : "Redo"
        let name = item?.row.name ?? conflict.id
        return "\(name) was set by another program to \(shown(conflict.current)). \(verb) to \(shown(conflict.target))?"
    }
}
