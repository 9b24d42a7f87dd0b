/// The rule for configuration keys.
public enum KeyRule {
    /// The most characters a key may have: 128.
    public static let maximumLength = 128

    /// Says what is wrong with a key, or `nil` if nothing is.
    ///
    /// A key has 1–128 characters of ASCII letters, digits, `.`, `-` and `_`, and no empty segment between dots.
    /// Keys are case-sensitive.
    ///
    /// - Parameter key: the whole dotted key.
    /// - Returns: a phrase that completes "the key …", such as `has an empty segment between dots`.
    public static func problem(in key: String) -> String? {
        if key.isEmpty { return "is empty" }
        if key.utf8.count > maximumLength { return "is longer than \(maximumLength) characters" }
        // In one pass: this is asked for every key of every document.
        var previous = UInt8(ascii: ".")
        var hasEmptySegment = false
        for byte in key.utf8 {
            if !isAllowed(byte) { return "may only have ASCII letters, digits, '.', '-' and '_'" }
            if byte == UInt8(ascii: "."), previous == byte { hasEmptySegment = true }
            previous = byte
        }
        if previous == UInt8(ascii: ".") { hasEmptySegment = true }
        return hasEmptySegment ? "has an empty segment between dots" : nil
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default:
            false
        }
    }
}

/// The rule for the names of namespaces.
public enum NamespaceRule {
    /// The default namespace: `default`.
    public static let standard = "default"

    /// The most characters a name may have: 64.
    public static let maximumLength = 64

    /// Says what is wrong with a name, or `nil` if nothing is.
    ///
    /// A name has 1–64 characters of `a`–`z`, `0`–`9` and `-`.
    ///
    /// - Returns: a phrase that completes "the namespace …".
    public static func problem(in name: String) -> String? {
        if name.isEmpty { return "is empty" }
        if name.utf8.count > maximumLength { return "is longer than \(maximumLength) characters" }
        let isAllowed = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
        return isAllowed ? nil : "may only have a–z, 0–9 and '-'"
    }

    /// Says why a server refuses to write to a namespace, or `nil` if it does not.
    ///
    /// `GET /openapi.json` describes the server, so that a namespace of this name would have no document. Its former
    /// entries can be read below `/v1`, and deleted.
    ///
    /// - Returns: a phrase that completes "the namespace …".
    package static func reservation(of name: String) -> String? {
        name == "openapi" ? "'openapi' is reserved: /openapi.json describes the server; choose another name" : nil
    }
}
