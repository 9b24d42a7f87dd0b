import ConfigDefinitions
import ConfigModel

/// A row of the screen of tweaks as it is at one moment.
struct TweakItem: Sendable, Identifiable {
    let row: TweakRow
    /// The value without an override; `null` for an action.
    let initial: JSONValue
    let override: JSONValue?
    /// Why the override that is stored cannot be used.
    let problem: String?
    /// Explains the value by the definition's chain. On demand, since few rows are explained.
    let explain: @Sendable () -> ChainExplanation?

    var id: String { row.id }
    var value: JSONValue { override ?? initial }
    /// Whether a reset would change anything.
    var isOverridden: Bool { override != nil || problem != nil }
    var preview: String { row.tweak?.preview(of: value) ?? "" }
    var initialPreview: String { row.tweak?.preview(of: initial) ?? "" }
}

extension TweakItem {
    /// Which link of the definition's chain decides the value, and what the others have, in lines.
    var explanation: [String] {
        let lines = explain()?.description.split(separator: "\n", omittingEmptySubsequences: false) ?? []
        // The first line is the value, which the editor shows.
        return lines.dropFirst().map(String.init)
    }

    /// Reads a row.
    init(_ row: TweakRow, explain: @escaping @Sendable () -> ChainExplanation?) {
        self.row = row
        initial = row.tweak?.initialValue ?? .null
        override = row.tweak?.override
        problem = row.tweak?.problem?.message
        self.explain = explain
    }
}

/// All rows, after so many commands.
struct TweakState: Sendable {
    var items: [TweakItem] = []
    /// How many commands of the screen had been carried out when the rows were read.
    var commandCount = 0
    /// Why the last command could not be carried out, or what is wrong with the file.
    var problem: String?
}

/// What the screen of tweaks wants done.
enum TweakCommand: Hashable, Sendable {
    case set(id: String, JSONValue, isContinuing: Bool)
    case reset(id: String)
    case resetCategory(String)
    case resetAll
    case undo
    case perform(id: String)
}
