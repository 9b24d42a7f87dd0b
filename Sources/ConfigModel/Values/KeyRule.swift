// SPDX-License-Identifier: Apache-2.0

/// The rule for configuration keys.
package enum KeyRule {
    /// The maximum length of a key: 128 characters.
    package static let maximumLength = 128

    /// The error in a whole dotted key, as a phrase that completes "the key …"; `nil` if it is valid.
    ///
    /// A key has 1–128 characters of ASCII letters, digits, `.`, `-` and `_`, and no empty segment between dots.
    /// Keys are case-sensitive.
    package static func problem(in key: String) -> String? {
        problem(in: key.utf8Span.span)
    }

    /// The problem with a key of these bytes; `nil` if it is valid.
    static func problem(in key: Span<UInt8>) -> String? {
        if key.isEmpty { return "is empty" }
        if key.count > maximumLength { return "is longer than \(maximumLength) characters" }
        // In one pass, since it runs for every key of every document.
        var previous = UInt8(ascii: ".")
        var hasEmptySegment = false
        for index in key.indices {
            let byte = key[index]
            if !isAllowed(byte) { return "must contain only ASCII letters, digits, '.', '-' and '_'" }
            if byte == UInt8(ascii: "."), previous == byte { hasEmptySegment = true }
            previous = byte
        }
        if previous == UInt8(ascii: ".") { hasEmptySegment = true }
        return hasEmptySegment ? "has an empty segment between dots" : nil
    }

    /// A bit for each of the ASCII characters from 0 on, and from 64 on: `-`, `.`, `0`–`9`; `A`–`Z`, `_`, `a`–`z`.
    private static let lowerHalf: UInt64 = 0x03FF_6000_0000_0000
    private static let upperHalf: UInt64 = 0x07FF_FFFE_87FF_FFFE

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? lowerHalf : upperHalf) &>> UInt64(byte & 63) & 1 == 1
    }
}

/// The rule for the names of namespaces.
package enum NamespaceRule {
    /// The default namespace: `default`.
    package static let standard = "default"

    /// The maximum length of a name: 64 characters.
    package static let maximumLength = 64

    /// The error in a name, as a phrase that completes "the namespace …"; `nil` if it is valid.
    ///
    /// A name has 1–64 characters of `a`–`z`, `0`–`9` and `-`.
    package static func problem(in name: String) -> String? {
        if name.isEmpty { return "is empty" }
        if name.utf8.count > maximumLength { return "is longer than \(maximumLength) characters" }
        let isAllowed = name.utf8.allSatisfy { $0.isSmallLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
        return isAllowed ? nil : "must contain only a–z, 0–9 and '-'"
    }

    /// The reason why a server refuses to write to a namespace, as a phrase that completes "the namespace …". `GET
    /// /openapi.json` describes the server, so a namespace of this name would have no document. Its former entries can be read
    /// below `/v1`, and deleted.
    package static func reservation(of name: String) -> String? {
        name == "openapi" ? "'openapi' is reserved for /openapi.json; choose another name" : nil
    }
}

/// The limits of keys, values and namespaces, for the help of the programs.
package enum LimitsText {
    /// A line for each, after two spaces; of at most 79 columns.
    package static let lines = """
          key        1 to \(KeyRule.maximumLength) characters: A–Z a–z 0–9 _ and -, joined by dots
          value      at most \(EntryValue.maximumBytes) bytes of canonical JSON (RFC 8785), and
                     \(EntryValue.maximumDepth) levels deep
          namespace  1 to \(NamespaceRule.maximumLength) characters: a–z 0–9 and -
        """
}
