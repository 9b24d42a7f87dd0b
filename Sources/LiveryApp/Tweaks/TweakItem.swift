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
    /// Which link of the definition's chain answers, and what the others say.
    let explanation: [String]

    var id: String { row.id }
    var value: JSONValue { override ?? initial }
    /// Whether a reset would change anything.
    var isOverridden: Bool { override != nil || problem != nil }
    var preview: String { row.tweak?.preview(of: value) ?? "" }
    var initialPreview: String { row.tweak?.preview(of: initial) ?? "" }
}

extension TweakItem {
    /// Reads a row.
    init(_ row: TweakRow, explanation: ChainExplanation?) {
        self.row = row
        initial = row.tweak?.initialValue ?? .null
        override = row.tweak?.override
        problem = row.tweak?.problem?.message
        let lines = explanation?.description.split(separator: "\n", omittingEmptySubsequences: false) ?? []
        // The first line is the value, which the editor shows.
        self.explanation = lines.dropFirst().map(String.init)
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

/// What the screen of tweaks asks to have done.
enum TweakCommand: Hashable, Sendable {
    case set(id: String, JSONValue, isContinuing: Bool)
    case reset(id: String)
    case resetCategory(String)
    case resetAll
    case undo
    case perform(id: String)
}
