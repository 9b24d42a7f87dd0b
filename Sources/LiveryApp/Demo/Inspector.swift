import ConfigModel
import RemoteConfig
import TerminalUI

/// The rows of the inspector: what this program is, and for each key its value and its origin. Below a key that is
/// overridden there is a row for each link of its chain, and below one that cannot be used a row that says why.
struct Inspector: Sendable {
    private let head: String
    private let configuration: ConfigState.Current
    private let keys: [String]
    private let notes: [Note]
    private let clock: ClockFormat
    /// The columns of the widest row; `nil` of a list that is too long to be measured.
    private(set) var columns: Int?

    /// What is shown below a key whose value is not the one on the screen.
    private struct Note {
        var lines: [String]
        /// The row of the first line.
        var firstRow: Int
        /// How many rows of keys are above it.
        var keyRows: Int
    }

    /// A list of more rows is not measured, and takes the whole width.
    static let mostMeasuredRows = 256
    private static let rowsOfKey = 2

    init(_ state: DemoState, clock: ClockFormat) {
        self.clock = clock
        configuration = state.configuration
        keys = configuration.sortedKeys
        head =
            keys.isEmpty
            ? (configuration.status.problem?.description ?? "\(configuration.status.source) has no keys yet.")
                .sanitized()
            : "This is livery \(SemanticVersion.livery). \(state.values.versionText)."
        notes = Self.notes(on: keys, of: state)
        let rows = rows
        if rows.count <= Self.mostMeasuredRows { columns = rows.lazy.map(\.columnWidth).max() }
    }

    /// In the order of the keys.
    private static func notes(on keys: [String], of state: DemoState) -> [Note] {
        var lines: [String: [String]] = [:]
        for problem in state.values.problems {
            guard let key = problem.key, let value = state.values.text(forKey: key) else { continue }
            lines[key, default: []].append("✖ \(problem.message); still using \(value)")
        }
        // Which links of the chains of tweaked keys answer.
        for item in state.tweaks.overridden { lines[item.id, default: []] += item.explanation }
        let places = lines.compactMap { key, lines in keys.sortedIndex(of: key).map { (index: $0, lines: lines) } }
        var notes: [Note] = []
        var lineCount = 0
        for (index, lines) in places.sorted(by: { $0.index < $1.index }) {
            let keyRows = (index + 1) * rowsOfKey
            let shown = lines.map { "    \($0)".sanitized() }
            notes.append(Note(lines: shown, firstRow: 1 + keyRows + lineCount, keyRows: keyRows))
            lineCount += lines.count
        }
        return notes
    }
}

extension Inspector {
    /// All rows, from the top.
    var rows: LazyRows<String> {
        let lineCount = notes.reduce(0) { $0 + $1.lines.count }
        return LazyRows(count: 1 + keys.count * Self.rowsOfKey + lineCount, row)
    }

    private func row(_ index: Int) -> String {
        if index == 0 { return head }
        guard let note = notes.last(where: { $0.firstRow <= index }) else { return keyRow(index - 1) }
        let line = index - note.firstRow
        return line < note.lines.count ? note.lines[line] : keyRow(note.keyRows + line - note.lines.count)
    }

    private func keyRow(_ row: Int) -> String {
        let key = keys[row / Self.rowsOfKey]
        guard let entry = configuration.snapshot.entries[key] else { return key }
        if row % Self.rowsOfKey == 0 { return "\(key) = \(entry.value.canonicalJSON)".sanitized() }
        let place = [entry.source, entry.location?.description].compactMap(\.self).joined(separator: ":")
        return "    \(place), changed \(clock.dateAndClock(entry.changedAt))".sanitized()
    }
}

extension [String] {
    /// Where a text is among sorted ones.
    fileprivate func sortedIndex(of text: String) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < text { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low] == text ? low : nil
    }
}
