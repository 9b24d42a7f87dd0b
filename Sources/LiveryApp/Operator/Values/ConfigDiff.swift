import ConfigModel
import TerminalUI

/// The old and the new value of one key.
struct KeyChange: Hashable, Sendable {
    var key: String
    /// `nil` if there was no entry.
    var old: EntryValue?
    /// `nil` if the entry was removed.
    var new: EntryValue?
}

/// The changes between two sets of values, by key.
struct ConfigDiff: Hashable, Sendable {
    var changes: [KeyChange]

    init(_ changes: [KeyChange]) {
        self.changes = changes.filter { $0.old != $0.new }.sorted { $0.key < $1.key }
    }

    init(from old: [String: EntryValue], to new: [String: EntryValue]) {
        self.init(Set(old.keys).union(new.keys).map { KeyChange(key: $0, old: old[$0], new: new[$0]) })
    }

    /// The difference between the entries of two states, of which most are the same.
    init(from old: ConfigEntries, to new: ConfigEntries) {
        let upserts = new.lazy.filter { old[$0.key]?.value != $0.value.value }.map { key, entry in
            KeyChange(key: key, old: old[key]?.value, new: entry.value)
        }
        let deletes = old.lazy.filter { new[$0.key] == nil }.map { KeyChange(key: $0, old: $1.value, new: nil) }
        self.init(Array(upserts) + deletes)
    }

    var isEmpty: Bool { changes.isEmpty }
    var added: Int { changes.count { $0.old == nil } }
    var removed: Int { changes.count { $0.new == nil } }
    var changed: Int { changes.count - added - removed }

    func request(expect: UInt64? = nil, message: String? = nil) -> PublishRequest {
        PublishRequest(
            set: Dictionary(uniqueKeysWithValues: changes.compactMap { change in change.new.map { (change.key, $0) } }),
            unset: Set(changes.filter { $0.new == nil }.map(\.key)),
            expect: expect,
            message: message
        )
    }
}

extension ConfigDiff {
    /// A line for each change, its values cut to fit where lines are limited.
    func lines(style: OutputStyle) -> [[Span]] {
        changes.map { $0.line(style: style) }
    }

    /// `2 new, 1 changed, 1 removed`.
    var summary: String {
        let parts = [(added, "new"), (changed, "changed"), (removed, "removed")]
        let words = parts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }
        return words.isEmpty ? "nothing differs" : words.joined(separator: ", ")
    }

    /// Writes `[{"key": …, "old": …, "new": …}]`, `null` for no entry.
    func write(to json: inout JSONWriter) {
        json.array { array in
            for change in changes { array.object { change.writeMembers(to: &$0) } }
        }
    }
}

extension KeyChange {
    /// `+ key  new`, `- key  old` or `~ key  old → new`.
    func line(style: OutputStyle) -> [Span] {
        let role: Span.Role = old == nil ? .added : new == nil ? .removed : .changed
        let sign = old == nil ? "+ " : new == nil ? "- " : "~ "
        let values = [old, new].compactMap { $0.map { style.shown($0.canonicalJSON) } }
        let shownKey = style.shown(key)
        // The sign, the two spaces after the key and the arrow with its spaces.
        let fixed = 2 + shownKey.columnWidth + 2 + (values.count - 1) * 3
        let widths = style.columns.map { columns in
            ColumnFit.widths(for: values.map(\.columnWidth), in: max(columns - fixed, 16))
        }
        let texts = values.enumerated().map { index, value in
            widths.map { value.truncated(toColumns: $0[index], ellipsis: style.ellipsis) } ?? value
        }
        return [Span(sign, role), Span(shownKey, .key), "  "] + Self.joined(texts, role)
    }

    private static func joined(_ texts: [String], _ role: Span.Role) -> [Span] {
        guard texts.count == 2 else { return texts.map { Span($0, role) } }
        return [Span(texts[0], .removed), " → ", Span(texts[1], .added)]
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("key") { $0.string(key) }
        json.member("old") { $0.optional(old) { $0.value($1) } }
        json.member("new") { $0.optional(new) { $0.value($1) } }
    }
}

extension Int {
    /// The number with a comma between its thousands.
    var grouped: String {
        let digits = String(magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return (self < 0 ? "-" : "") + text
    }
}
