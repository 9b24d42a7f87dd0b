// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import RemoteConfig
import TerminalUI

/// The commands of an operator on a key, which have the same keys on every screen that shows one.
enum KeyCommands {
    /// - Parameters:
    ///   - key: the key; `nil` where none is selected.
    ///   - command: makes a command of the screen.
    static func all<Command>(
        of key: String?,
        in state: PanelState,
        _ command: (DemoIntent) -> Command
    ) -> [ScreenCommand<Command>] {
        let (abilities, writes) = (state.desk.abilities, writes(of: key, in: state))
        guard let reason = abilities.reason(against: .edit) else {
            return writes.map { ScreenCommand(command($0.intent), $0.keys, hint: $0.hint, help: $0.help) }
        }
        // The keys keep their meaning; one of them is listed.
        return writes.enumerated().map { index, write in
            let isListed = index == 0 && abilities.offers(.edit)
            let (hint, help) = isListed ? (write.hint, "Cannot edit: \(reason)") : ("", "")
            return ScreenCommand(command(.explain(reason)), write.keys, hint: hint, help: help, isPossible: false)
        }
    }

    private static func writes(
        of key: String?,
        in state: PanelState
    ) -> [(intent: DemoIntent, keys: [Key], hint: String, help: String)] {
        let desk = state.desk
        var writes: [(intent: DemoIntent, keys: [Key], hint: String, help: String)] = []
        if let key {
            let removal = removal(of: key, in: state)
            let remove = DemoIntent.toggle(.review(Proposal(title: "Remove", changes: removal, action: .remove)))
            let entries = [key, EntryKind.rule.key(of: key)]
            let draft = state.drafts.first { draft in entries.contains(where: draft.draftedEntries.contains) }
            writes = [
                (.toggle(.edit(EditStart(key: key))), [.character("e")], "Edit", "Edit the value"),
                (
                    .toggle(.edit(EditStart(key: key, isExternal: true))), [.character("E")], "",
                    "Edit the value in $VISUAL, $EDITOR or vi"
                ),
                (
                    removal.isEmpty ? .explain("\(key) has no value to remove") : remove,
                    [.character("d"), Key(.delete)], "", "Remove the value"
                ),
                (.toggle(.name(.rename(key))), [.character("M"), Key(.function(2))], "", "Rename the key"),
                (.toggle(.name(.copy(key))), [.character("D")], "", "Duplicate the key"),
            ]
            if let draft {
                writes.append((.discarding(draft, key), [UserKeys.discard], "", "Discard the draft"))
            }
        }
        let prefix = key.map { key in key.lastIndex(of: ".").map { String(key[...$0]) } ?? "" } ?? ""
        writes.append((.toggle(.name(.add(prefix: prefix))), [.character("a")], "", "Add a key"))
        if !desk.staged.isEmpty {
            writes.append((.toggle(.staged), [.character("P")], "Staged", "Review the staged changes"))
        }
        let undo = desk.last.map { "Undo \($0.receipt.name)" } ?? ""
        writes.append((.undo, [.character("u")], desk.last == nil ? "" : "Undo", undo))
        return writes
    }

    /// Removes the value of a key and, as a server does, its rule, so that an undo restores both.
    private static func removal(of key: String, in state: PanelState) -> ConfigDiff {
        guard let value = state.configuration.defaultValue(forKey: key) else { return ConfigDiff([]) }
        let rule = state.snapshot.held(EntryKind.rule.key(of: key))?.value
        let entries: [(EntryKind, EntryValue?)] = [(.value, value), (.rule, rule)]
        return ConfigDiff(entries.map { KeyChange(key: key, kind: $0, old: $1, new: nil) })
    }
}
