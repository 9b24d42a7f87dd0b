// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel

/// A row of the screen of tweaks as it is at one moment.
struct TweakItem: Sendable, Identifiable {
    let row: TweakRow
    /// The value without an override; `null` for an action.
    let initial: EntryValue
    let override: EntryValue?
    /// Why the override that is stored cannot be used.
    let problem: String?
    /// Explains the value by the definition's chain. On demand, since few rows are explained.
    let explain: @Sendable () -> ChainExplanation?

    init(_ row: TweakRow, explain: @escaping @Sendable () -> ChainExplanation?) {
        self.row = row
        initial = row.tweak?.initialValue ?? .null
        let stored = row.tweak?.reading()
        override = stored?.override
        problem = stored?.problem?.message
        self.explain = explain
    }

    var id: String { row.id }
    var value: EntryValue { override ?? initial }
    /// Whether a reset would change anything.
    var isOverridden: Bool { override != nil || problem != nil }
    var preview: String { row.tweak?.preview(of: value) ?? "" }
    var initialPreview: String { row.tweak?.preview(of: initial) ?? "" }

    /// Which link of the definition's chain decides the value, and what the others have, in lines.
    var explanation: [String] {
        let lines = explain()?.description.split(separator: "\n", omittingEmptySubsequences: false) ?? []
        // The first line is the value, which the editor shows.
        return lines.dropFirst().map(String.init)
    }
}

/// All rows, after so many commands.
struct TweakState: Sendable {
    /// Reads all rows. On demand, since the main screen shows none.
    var read: @Sendable () -> [TweakItem] = { [] }
    /// Reads the rows that are there, without those that only the screen of tweaks needs.
    var readKnown: @Sendable () -> [TweakItem] = { [] }
    /// How many commands had been carried out when this was read: a state of fewer commands is out of date.
    var commandCount = 0
    /// Why the last command could not be carried out, or what is wrong with the file.
    var problem: String?
    /// The question that the last command raised, which was not carried out.
    var conflict: TweakStepQuestion?

    /// The rows as they are now.
    var items: [TweakItem] { read() }
}

/// A step through the history of edits.
enum TweakStep: Hashable, Sendable {
    case undo, redo
}

/// Whether a step may overwrite a value that was set elsewhere.
struct TweakStepQuestion: Hashable, Sendable {
    let step: TweakStep
    let conflict: TweakConflict
}

/// A command of the tweaks screen.
enum TweakCommand: Hashable, Sendable {
    case set(id: String, EntryValue, isContinuing: Bool)
    case reset(id: String)
    case resetCategory(String)
    case resetAll
    /// - Parameter isConfirmed: whether a value that another program has set since is overwritten.
    case step(TweakStep, isConfirmed: Bool)
    case perform(id: String)
}
