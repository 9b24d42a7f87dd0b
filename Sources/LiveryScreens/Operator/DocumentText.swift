// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel

/// The text of a JSON document, in which single entries are changed and everything else stays as it is written.
struct DocumentText {
    private(set) var bytes: [UInt8]

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
        let layout = try Layout(bytes, isExact: isExact)
        let member = layout.members.last { $0.kind == change.kind && $0.key == change.key }
        switch (member, change.new) {
        case (let member?, let new?): replace(member.value, with: text(of: new, indentedLike: member.start))
        case (let member?, nil): remove(member.start..<member.value.upperBound)
        case (nil, let new?): try insert(new, of: change, layout)
        case (nil, nil): break
        }
    }
}

/// The places of the entries of a JSON document.
private struct Layout {
    /// A member that is not a branch.
    struct Member {
        /// `nil` for a member of the root of an exact document, which is no entry.
        var kind: EntryKind?
        /// The key of the entry.
        var key: String
        /// From the name to the end of the value.
        var start: Int
        var value: Range<Int>
    }

    /// An object whose members are entries, or branches of keys.
    struct Branch {
        /// `nil` for the root of an exact document, whose members are the lists of the kinds.
        var kind: EntryKind?
        /// The keys that lead to it, with a dot after each.
        var prefix = ""
        /// Behind the opening brace.
        var start = 0
        /// The last member, from its name to the end of its value.
        var last: Range<Int>?
    }

    let isExact: Bool
    private(set) var members: [Member] = []
    /// The root first.
    private(set) var branches: [Branch] = []

    init(_ bytes: [UInt8], isExact: Bool) throws(ConfigError) {
        self.isExact = isExact
        var scanner = try JSONScanner(bytes)
        try read(Branch(kind: isExact ? nil : .value), &scanner)
    }

    private mutating func read(_ branch: Branch, _ scanner: inout JSONScanner) throws(ConfigError) {
        try scanner.expect("{", "to open an object")
        let place = branches.count
        branches.append(branch)
        branches[place].start = scanner.offset
        if scanner.skip("}") { return }
        repeat {
            scanner.skipWhitespace()
            let start = scanner.offset
            let name = try scanner.text()
            try scanner.expect(":", "after the name")
            scanner.skipWhitespace()
            let value = scanner.offset
            if let inner = self.branch(name, of: branch, isObject: scanner.current == UInt8(ascii: "{")) {
                try read(inner, &scanner)
            } else {
                try scanner.skipValue()
                let key = branch.prefix + name
                members.append(Member(kind: branch.kind, key: key, start: start, value: value..<scanner.offset))
            }
            branches[place].last = start..<scanner.offset
        } while scanner.skip(",")
        try scanner.expect("}", "or ',' after a value")
    }

    /// The branch that a member of another one is; `nil` for an entry.
    private func branch(_ name: String, of outer: Branch, isObject: Bool) -> Branch? {
        if !isExact { return isObject ? Branch(kind: .value, prefix: outer.prefix + name + ".") : nil }
        guard outer.kind == nil, let kind = EntryKind.allCases.first(where: { $0.listName == name }) else { return nil }
        return Branch(kind: kind)
    }
}

// Writing.
extension DocumentText {
    private mutating func replace(_ range: Range<Int>, with text: String) {
        bytes.replaceSubrange(range, with: text.utf8)
    }

    /// Removes a member with its comma, and the white space between it and its neighbour.
    private mutating func remove(_ member: Range<Int>) {
        let end = bytes[member.upperBound...].firstIndex { !$0.isJSONSpace } ?? bytes.endIndex
        if end < bytes.count, bytes[end] == UInt8(ascii: ",") {
            let next = bytes[(end + 1)...].firstIndex { !$0.isJSONSpace } ?? bytes.endIndex
            return replace(member.lowerBound..<next, with: "")
        }
        let start = startOfSpace(before: member.lowerBound)
        let hasComma = start > 0 && bytes[start - 1] == UInt8(ascii: ",")
        replace((hasComma ? start - 1 : start)..<member.upperBound, with: "")
    }

    private func startOfSpace(before place: Int) -> Int {
        place - bytes[..<place].reversed().prefix { $0.isJSONSpace }.count
    }

    private mutating func insert(_ value: EntryValue, of change: KeyChange, _ layout: Layout) throws(ConfigError) {
        guard layout.isExact || change.kind == .value else {
            let message =
                "a plain document cannot contain schemas or rules; use the exact form, {\"livery\": 1, \"entries\": {…}}"
            throw ConfigError(.rejected, message)
        }
        let fitting = layout.branches.filter { $0.kind == change.kind && change.key.utf8.starts(with: $0.prefix.utf8) }
        if let branch = fitting.max(by: { $0.prefix.utf8.count < $1.prefix.utf8.count }) {
            let name = String(decoding: change.key.utf8.dropFirst(branch.prefix.utf8.count), as: UTF8.self)
            insert(name, value, into: branch)
        } else if let root = layout.branches.first {
            insert(change.kind.listName, .object(EntryObject([(change.key, value)])), into: root)
        }
    }

    private mutating func insert(_ name: String, _ value: EntryValue, into branch: Layout.Branch) {
        let quoted = EntryValue.string(name).canonicalJSON
        guard let last = branch.last else {
            return replace(branch.start..<branch.start, with: "\(quoted): \(text(of: value, indentedLike: nil))")
        }
        // The same white space as before the last member.
        let space = String(decoding: bytes[startOfSpace(before: last.lowerBound)..<last.lowerBound], as: UTF8.self)
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
