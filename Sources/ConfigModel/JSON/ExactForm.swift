// SPDX-License-Identifier: Apache-2.0

/// The form of a document for arbitrary values: `{"livery": 1, "entries": {"app.menu": {"title": "Home"}}}`, with schemas and
/// rules in addition or alone: `{"livery": 1, "schemas": {"app.menu": {"type": "object"}}}`.
///
/// Each member of `entries` is one key with any value. In the plain form an object is a branch of the keys.
package enum ExactForm {
    /// The name of the member whose value is the form's version.
    static let version = "livery"
    /// The names of all members: the version's, and those of the lists of entries.
    static let members = [version] + EntryKind.allCases.map(\.listName)
    /// The names of the members for drafts and their policy, which readers of the values skip.
    package static let reviewMembers = ["policy", "drafts"]
    /// The newest version that is read, and the one that is written.
    static let newestVersion = 1

    /// Whether a document is of this form.
    ///
    /// - Parameter scanner: at the start of the document.
    /// - Throws: `unsupportedValue` if only newer programs can read it.
    package static func marks(_ scanner: JSONScanner) throws(ConfigError) -> Bool {
        guard canContain(scanner.bytes.span.bytes) else { return false }
        var scanner = scanner
        var (number, place, hasContents) = (EntryValue.null, scanner.location, false)
        do throws(ConfigError) {
            try scanner.object { (name, scanner) throws(ConfigError) in
                if name == version {
                    place = scanner.location
                    number = try scanner.anyValue()
                } else {
                    if members.contains(name), scanner.current == UInt8(ascii: "{") { hasContents = true }
                    try scanner.skipValue()
                }
            }
        } catch {
            // Reading it as a plain document reports the error.
            return false
        }
        guard hasContents, case .integer(let version) = number, version > 0 else { return false }
        guard version <= newestVersion else {
            let message =
                "unsupported document version \(version), maximum \(newestVersion); update the program"
            throw ConfigError(.unsupportedValue, message, location: place)
        }
        return true
    }

    /// Whether these values need this form: a plain document would represent them differently, or would be taken for this form.
    package static func isNeeded(for values: some Sequence<(key: String, value: EntryValue)>) -> Bool {
        var (hasVersion, hasContents) = (false, false)
        for (key, value) in values {
            if case .object = value { return true }
            if key == version, case .integer = value { hasVersion = true }
            if members.contains(where: { key.hasPrefix($0 + ".") }) { hasContents = true }
        }
        return hasVersion && hasContents
    }
}

extension ExactForm {
    /// Whether a document may have the member: its name is there, or an escape that may be of a letter in it. Most have
    /// neither, and this is a good part of the time that they take.
    private static func canContain(_ bytes: RawSpan) -> Bool {
        let (name, escape) = (quotedVersion, escape)
        func word(at start: Int) -> UInt64 {
            UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self))
        }
        // What is left after the last one has no room for the name, its value and another member.
        let last = bytes.byteCount - 16
        guard last >= 0 else { return false }
        for start in stride(from: 0, to: last + 8, by: 8) {
            let start = min(start, last)
            // Most have no backslash, and no quotation mark with the letter v three bytes later.
            let later = word(at: start + 3).bytesEqual(to: 0x76)
            if word(at: start).bytesEqual(to: 0x5C) | word(at: start).bytesEqual(to: 0x22) & later == 0 { continue }
            for place in start..<start + 8 {
                let word = word(at: place)
                if word == name || UInt32(truncatingIfNeeded: word) == escape { return true }
            }
        }
        return false
    }

    private static let quotedVersion = littleEndian("\"\(version)\"")
    private static let escape = UInt32(littleEndian("\\u00"))

    /// At most eight bytes as a number, of which the first one is the lowest.
    private static func littleEndian(_ text: String) -> UInt64 {
        text.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
