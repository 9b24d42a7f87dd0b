// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import RemoteConfig
import TerminalUI

/// A line of text that cannot be clicked.
typealias TextLine = ActiveLine<Never>

/// Something that has just happened, as a line of the main screen that is shown for a while.
struct Headline: Sendable {
    let line: TextLine
    /// The keys that have changed.
    private(set) var changedKeys: Set<String> = []
    /// The changes that the line reports as written.
    private(set) var written: [KeyChange] = []
    let duration: Duration

    /// A sentence about a requested action.
    init(_ text: String, written: [KeyChange] = []) {
        line = ActiveLine([.init(text)])
        (changedKeys, self.written) = (Set(written.map(\.key)), written)
        duration = .seconds(10)
    }

    /// The headline of a change; of several keys, the first.
    init(_ first: ShownChange, of keys: [String], isTweaked: Bool, repertoire: GlyphRepertoire) {
        var spans = first.spans(repertoire)
        let more = keys.count - 1
        if more > 0 { spans.append(.init("  and \(more) more", .dimmed)) }
        if isTweaked { spans.append(.init("  ◆ tweaked: screen unchanged", .dimmed)) }
        line = TextLine(spans)
        changedKeys = Set(keys)
        duration = .seconds(4)
    }

    var text: String { line.spans.map(\.text).joined() }

    /// Whether the line reports the changes that have led to the values of these keys.
    func reports(_ keys: [String], in snapshot: EntrySnapshot) -> Bool {
        let written = Dictionary(grouping: written, by: \.key)
        return keys.allSatisfy { key in
            written[key]?.contains { $0.kind == .rule || $0.new == snapshot.entries[key]?.value } ?? false
        }
    }
}

/// A key and the change of its value, short enough for a line.
struct ShownChange: Hashable, Sendable {
    let key: String
    /// The values, as far as a line has room for them; `nil` while the key was not there.
    let old, new: [TextLine.Span]?
    /// `+`, `-` or `~`: added, removed, changed.
    let sign: String
    /// The change of a rule in words.
    private let words: String?

    private static let maximumColumns = 60

    init(_ key: String, from old: EntrySnapshot, to new: EntrySnapshot, hasColors: Bool) {
        let change = KeyChange(key: key, old: old.entries[key]?.value, new: new.entries[key]?.value)
        self.init(change, hasColors: hasColors)
    }

    init(_ change: KeyChange, hasColors: Bool) {
        let preview = ValuePreview(hasColors: hasColors)
        func spans(of value: EntryValue?) -> [TextLine.Span]? {
            let spans: [TextLine.Span]? = value.map { preview.spans(of: $0, columns: Self.maximumColumns) }
            return spans?.map { .init($0.text.truncated(toColumns: Self.maximumColumns), $0.tone) }
        }
        (key, sign) = (change.kind.label + change.key, change.sign)
        words = RuleChange(change)?.words.truncated(toColumns: Self.maximumColumns)
        (old, new) = (spans(of: change.old), spans(of: change.new))
    }

    /// For example `app.background.color  ██ #FFB6C1 → ██ #87CEFA`.
    func spans(_ repertoire: GlyphRepertoire) -> [TextLine.Span] {
        var spans = [TextLine.Span(key + "  ", .dimmed)]
        if old == nil, new != nil { spans.append(.init("added ", .dimmed)) }
        if old != nil, new == nil { spans.append(.init("removed, was ", .dimmed)) }
        return spans + values(repertoire)
    }

    /// A row of a list of changes: `~ app.background.color  ██ #FFB6C1 → ██ #87CEFA`.
    func row(_ repertoire: GlyphRepertoire) -> [TextLine.Span] {
        [TextLine.Span(sign + " ", .accent), TextLine.Span(key + "  ")] + values(repertoire)
    }

    private func values(_ repertoire: GlyphRepertoire) -> [TextLine.Span] {
        if let words { return [.init(words)] }
        guard let old, let new else { return self.old ?? self.new ?? [] }
        return old + [TextLine.Span(repertoire.isUTF8 ? " → " : " -> ", .dimmed)] + new
    }
}
