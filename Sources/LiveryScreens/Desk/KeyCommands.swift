// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import RemoteConfig
import TerminalUI

/// The commands on a key, which have the same keys on every screen that shows one.
enum KeyCommands {
    /// The commands that show more of a key.
    ///
    /// - Parameters:
    ///   - key: the key; `nil` where none is selected.
    ///   - kind: the entry of the key that is shown.
    ///   - command: makes a command of the screen.
    static func views<Command>(
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

    /// The commands of an operator.
    ///
    /// - Parameters:
    ///   - key: the key; `nil` where none is selected.
    ///   - command: makes a command of the screen.
    static func all<Command>(
        of key: String?,
        in state: PanelState,
        _ command: (DemoIntent) -> Command
    ) -> [ScreenCommand<Command>] {
        let abilities = state.desk.abilities
        let writes = (key.map { edits(of: $0, in: state) } ?? []) + others(than: key, in: state)
        guard let reason = abilities.reason(against: .edit) else { return writes.map { $0.map(command) } }
        // The keys keep their meaning; one of them is listed.
        return writes.enumerated().map { index, write in
            let isListed = index == 0 && abilities.offers(.edit)
            let (hint, help) = isListed ? (write.hint, "Cannot edit: \(reason)") : ("", "")
            return ScreenCommand(command(.explain(reason)), write.keys, hint: hint, help: help, isPossible: false)
        }
    }

    /// The commands that write a key.
    private static func edits(of key: String, in state: PanelState) -> [ScreenCommand<DemoIntent>] {
        let edit = DemoIntent.toggle(.edit(EditStart(key: key)))
        let external = DemoIntent.toggle(.edit(EditStart(key: key, isExternal: true)))
        let proposal = Proposal(title: "Remove", changes: removal(of: key, in: state), action: .remove)
        let nothing = DemoIntent.explain("\(key) has no value to remove")
        let remove = proposal.changes.isEmpty ? nothing : .toggle(.review(proposal))
        var edits: [ScreenCommand<DemoIntent>] = [
            ScreenCommand(edit, [.character("e")], hint: "Edit", help: "Edit the value"),
            ScreenCommand(external, [.character("E")], help: "Edit the value in $VISUAL, $EDITOR or vi"),
            ScreenCommand(remove, [.character("d"), Key(.delete)], help: "Remove the value"),
            ScreenCommand(.toggle(.name(.rename, key)), [.character("M"), Key(.function(2))], help: "Rename the key"),
            ScreenCommand(.toggle(.name(.copy, key)), [.character("D")], help: "Duplicate the key"),
        ]
        let entries = [key, EntryKind.rule.key(of: key)]
        let drafts = state.drafts.filter { draft in entries.contains(where: draft.draftedEntries.contains) }
        if !drafts.isEmpty {
            edits.append(ScreenCommand(.discarding(drafts, key), [UserKeys.discard], help: "Discard the draft"))
        }
        return edits
    }

    private static func others(than key: String?, in state: PanelState) -> [ScreenCommand<DemoIntent>] {
        let desk = state.desk
        let prefix = key.flatMap { key in key.lastIndex(of: ".").map { String(key[...$0]) } } ?? ""
        let add = DemoIntent.toggle(.name(.add, prefix))
        var commands = [ScreenCommand(add, [.character("a")], help: "Add a key")]
        if !desk.staged.isEmpty {
            let (staged, help) = (DemoIntent.toggle(.staged), "Review the staged changes")
            commands.append(ScreenCommand(staged, [.character("P")], hint: "Staged", help: help))
        }
        let (hint, help) = desk.last.map { ("Undo", "Undo \($0.receipt.name)") } ?? ("", "")
        return commands + [ScreenCommand(.undo, [.character("u")], hint: hint, help: help)]
    }

    /// Removes the value of a key and, as a server does, its rule, so that an undo restores both.
    private static func removal(of key: String, in state: PanelState) -> ConfigDiff {
        guard let value = state.configuration.defaultValue(forKey: key) else { return ConfigDiff([]) }
        let rule = state.snapshot.held(EntryKind.rule.key(of: key))?.value
        let entries: [(EntryKind, EntryValue?)] = [(.value, value), (.rule, rule)]
        return ConfigDiff(entries.map { KeyChange(key: key, kind: $0, old: $1, new: nil) })
    }
}
