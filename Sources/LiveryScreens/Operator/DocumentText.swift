// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel

/// The text of a JSON document, in which single entries are changed and everything else stays as it is written.
struct DocumentText {
    private(set) var bytes: [UInt8]

    /// A member of an object of the text.
    private struct Member {
        /// The kind and the key of the entry; of a branch, the keys that lead into it.
        var kind: EntryKind
        var key: String
        /// From the name to the end of the value.
        var start: Int
        var value: Range<Int>
    }

    /// An object whose members are entries, or branches of keys.
    private struct Branch {
        var kind: EntryKind
        /// The keys that lead to it, with a dot after each.
        var prefix: String
        /// Behind the opening brace.
        var start: Int
        /// The last member, from its name to the end of its value.
        var last: Range<Int>?
    }

    private struct Layout {
        var members: [Member] = []
        /// The root first.
        var branches: [Branch] = []
    }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Changes entries.
    ///
    /// - Parameter name: the name of the document, for errors.
    /// - Throws: `rejected` if the document cannot represent the result.
    mutating func apply(_ changes: ConfigDiff, source name: String) throws(ConfigError) {
        let isExact = try ExactForm.marks(try JSONScanner(bytes))
        var expected = NamespaceContents(of: try ConfigDocument(json: bytes, source: name))
        for change in changes.changes {
            try apply(change, isExact: isExact)
            expected[change.kind][change.key] = change.new
        }
        let isStillExact = try ExactForm.marks(try JSONScanner(bytes))
        guard NamespaceContents(of: try ConfigDocument(json: bytes, source: name)) == expected, isStillExact == isExact
        else {
            let message = """
                nothing was written: the document cannot represent this change in place, such as an object as a value or \
                a key inside another; change it in an editor, or use the exact form, {"livery": 1, "entries": {…}}
                """
            throw ConfigError(.rejected, message, source: name)
        }
    }

    private mutating func apply(_ change: KeyChange, isExact: Bool) throws(ConfigError) {
        var scanner = try JSONScanner(bytes)
        var layout = Layout()
        try Self.read(&scanner, into: &layout, isExact: isExact)
        let member = layout.members.last { $0.kind == change.kind && $0.key == change.key }
        switch (member, change.new) {
        case (let member?, let new?): replace(member.value, with: text(of: new, indentedLike: member.start))
        case (let member?, nil): remove(member.start..<member.value.upperBound)
        case (nil, let new?): try insert(new, of: change, layout, isExact: isExact)
        case (nil, nil): break
        }
    }
}

// Reading.
extension DocumentText {
    private static func read(
        _ scanner: inout JSONScanner,
        into layout: inout Layout,
        isExact: Bool
    ) throws(ConfigError) {
        try read(&scanner, into: &layout, kind: .value, prefix: "") { name, scanner in
            guard isExact else {
                return scanner.current == UInt8(ascii: "{") ? .branch(.value, prefix: name + ".") : .entry
            }
            let kind = EntryKind.allCases.first { $0.listName == name }
            return kind.map { .branch($0, prefix: "") } ?? .other
        }
    }

    /// The meaning of a member.
    private enum Meaning {
        case entry, other
        case branch(EntryKind, prefix: String)
    }

    private static func read(
        _ scanner: inout JSONScanner,
        into layout: inout Layout,
        kind: EntryKind,
        prefix: String,
        meaning: (String, JSONScanner) -> Meaning
    ) throws(ConfigError) {
        try scanner.expect("{", "to open an object")
        let place = layout.branches.count
        layout.branches.append(Branch(kind: kind, prefix: prefix, start: scanner.offset))
        if scanner.skip("}") { return }
        repeat {
            scanner.skipWhitespace()
            let start = scanner.offset
            let name = try scanner.text()
            try scanner.expect(":", "after the name")
            scanner.skipWhitespace()
            let value = scanner.offset
            switch meaning(name, scanner) {
            case .entry:
                try scanner.skipValue()
                let key = prefix + name
                layout.members.append(Member(kind: kind, key: key, start: start, value: value..<scanner.offset))
            case .other: try scanner.skipValue()
            case .branch(let inner, let path):
                let isPlain = !path.isEmpty
                try read(&scanner, into: &layout, kind: inner, prefix: prefix + path) { name, scanner in
                    let isBranch = isPlain && scanner.current == UInt8(ascii: "{")
                    return isBranch ? .branch(inner, prefix: name + ".") : .entry
                }
            }
            layout.branches[place].last = start..<scanner.offset
        } while scanner.skip(",")
        try scanner.expect("}", "or ',' after a value")
    }
}

// Writing.
extension DocumentText {
    private mutating func replace(_ range: Range<Int>, with text: String) {
        bytes.replaceSubrange(range, with: text.utf8)
    }

    /// Removes a member with its comma, and the white space between it and its neighbour.
    private mutating func remove(_ member: Range<Int>) {
        var end = member.upperBound
        while end < bytes.count, bytes[end].isJSONSpace { end += 1 }
        if end < bytes.count, bytes[end] == UInt8(ascii: ",") {
            end += 1
            while end < bytes.count, bytes[end].isJSONSpace { end += 1 }
            return replace(member.lowerBound..<end, with: "")
        }
        var start = member.lowerBound
        while start > 0, bytes[start - 1].isJSONSpace { start -= 1 }
        if start > 0, bytes[start - 1] == UInt8(ascii: ",") { start -= 1 }
        replace(start..<member.upperBound, with: "")
    }

    private mutating func insert(
        _ value: EntryValue,
        of change: KeyChange,
        _ layout: Layout,
        isExact: Bool
    ) throws(ConfigError) {
        guard isExact || change.kind == .value else {
            let message =
                "a plain document cannot contain schemas or rules; use the exact form, {\"livery\": 1, \"entries\": {…}}"
            throw ConfigError(.rejected, message)
        }
        // The root of an exact document has the lists as members.
        let branches = isExact ? layout.branches.dropFirst() : layout.branches[...]
        let fitting = branches.filter { $0.kind == change.kind && change.key.utf8.starts(with: $0.prefix.utf8) }
        if let branch = fitting.max(by: { $0.prefix.utf8.count < $1.prefix.utf8.count }) {
            let name = String(decoding: change.key.utf8.dropFirst(branch.prefix.utf8.count), as: UTF8.self)
            insert(name, value, into: branch)
        } else if let root = layout.branches.first {
            insert(change.kind.listName, .object(EntryObject([(change.key, value)])), into: root)
        }
    }

    private mutating func insert(_ name: String, _ value: EntryValue, into branch: Branch) {
        let quoted = EntryValue.string(name).canonicalJSON
        guard let last = branch.last else {
            return replace(branch.start..<branch.start, with: "\(quoted): \(text(of: value, indentedLike: nil))")
        }
        // The same white space as before the last member.
        var start = last.lowerBound
        while start > 0, bytes[start - 1].isJSONSpace { start -= 1 }
        let space = String(decoding: bytes[start..<last.lowerBound], as: UTF8.self)
        let text = ",\(space)\(quoted): \(text(of: value, indentedLike: last.lowerBound))"
        replace(last.upperBound..<last.upperBound, with: text)
    }

    private static let maximumLineLength = 80

    /// A value as JSON, a long one with a line for each part.
    ///
    /// - Parameter start: the start of the member, whose indentation the lines have; `nil` for one line.
    private func text(of value: EntryValue, indentedLike start: Int?) -> String {
        let json = value.canonicalJSON
        guard let start, json.utf8.count > Self.maximumLineLength else { return json }
        var line = start
        while line > 0, bytes[line - 1] != UInt8(ascii: "\n") { line -= 1 }
        let indentation = bytes[line..<start].prefix { $0.isJSONSpace }
        guard indentation.count == start - line else { return json }
        let lines = PrettyJSON.laidOut(Array(json.utf8)).split(separator: UInt8(ascii: "\n"))
        return String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")] + indentation)), as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isJSONSpace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}
