// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

/// The commands that show more of a key, which have the same keys on every screen that shows one.
enum KeyViews {
    /// - Parameters:
    ///   - key: the key; `nil` where none is selected.
    ///   - kind: the entry of the key that is shown.
    ///   - command: makes a command of the screen.
    static func all<Command>(
        of key: String?,
        _ kind: EntryKind = .value,
        in state: PanelState,
        _ command: (DemoIntent) -> Command
    ) -> [ScreenCommand<Command>] {
        let revisions = ScreenCommand(command(.toggle(.history(nil))), [.character("H")], help: "List all revisions")
        let compare = MainScreen.Command.compare.declaration(state.look.keys)
        let comparison = ScreenCommand(command(.toggle(.sources(.compare))), compare.keys, help: compare.help)
        guard let key else { return [revisions, comparison] }
        let intent = DemoIntent.toggle(.history(kind.key(of: key)))
        let help = kind == .rule ? "List the changes of the rule" : "List the changes of the key"
        var history = ScreenCommand(command(intent), [.character("h")], hint: "History", help: help)
        history.isPossible = state.desk.abilities.allows(.history)
        let hint = state.snapshot.hasRule(forKey: key) ? "Rule" : ""
        let ruleHelp = "Show and change the rule of the key"
        let rule = ScreenCommand(command(.toggle(.rollout(key))), [.character("R")], hint: hint, help: ruleHelp)
        return [history, revisions, rule, comparison]
    }
}
