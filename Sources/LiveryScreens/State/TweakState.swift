// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// A row of the screen of tweaks as it is at one moment.
struct TweakItem: Sendable, Identifiable {
    let row: TweakRow
    /// The value without an override; `null` for an action.
    let initial: EntryValue
    let override: EntryValue?
    /// The error of an unusable stored override.
    let problem: String?

    /// - Parameter sources: the snapshot that the row is evaluated from.
    init(_ row: TweakRow, in sources: LinkInputs) {
        self.row = row
        initial = row.tweak?.initialValue(in: sources) ?? .null
        let stored = row.tweak?.reading(in: sources)
        override = stored?.override
        problem = stored?.problem?.message
    }

    var id: String { row.id }
    var value: EntryValue { override ?? initial }
    /// Whether a reset would change anything.
    var isOverridden: Bool { override != nil || problem != nil }
    var preview: String { row.tweak?.preview(of: value) ?? "" }
    var initialPreview: String { row.tweak?.preview(of: initial) ?? "" }
}

/// The rows of the screen of tweaks, evaluated from one snapshot when they are needed: the main screen shows none.
struct TweakState: Sendable {
    private var shown: (config: DemoConfig, sources: LinkInputs)?
    /// The problem with the file of tweaks.
    var problem: String?

    /// No rows.
    init() {}

    init(_ config: DemoConfig, in sources: LinkInputs, problem: String? = nil) {
        (shown, self.problem) = ((config, sources), problem)
    }

    /// All rows, the showcase included, which only the screen of tweaks needs.
    var items: [TweakItem] {
        guard let (config, sources) = shown else { return [] }
        config.addShowcase()
        return sources.tweaks?.rows.map { TweakItem($0, in: sources) } ?? []
    }

    /// Which link of the chain of a key's definition decides the value, and what the others have, in lines; none where no
    /// definition reads the key.
    func explanation(of id: String) -> [String] {
        let explanation = shown.flatMap { $0.config.repository.explain(id: id, from: $0.sources) }
        let lines = explanation?.description.split(separator: "\n", omittingEmptySubsequences: false) ?? []
        // The first line is the value, which is shown by itself.
        return lines.dropFirst().map(String.init)
    }
}

extension ActiveLine {
    /// A line of an explanation in rows; its first two columns mark the link that decides.
    static func linkLines(_ line: String, columns: Int) -> [ActiveLine] {
        let parts = line.dropFirst(2).wrapped(toColumns: max(columns - 4, 1), maximumLines: 8)
        return parts.enumerated().map { ActiveLine([.init(($0 == 0 ? line.prefix(2) : "    ") + $1)]) }
    }
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

/// The outcome of a command.
enum TweakOutcome: Hashable, Sendable {
    case done
    case failed(String)
    /// The command was not carried out, since the person has to confirm it.
    case question(TweakStepQuestion)
}
