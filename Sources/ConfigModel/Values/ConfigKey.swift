/// The rule that every configuration key keeps.
public enum ConfigKey {
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
        if !key.utf8.allSatisfy(isAllowed) {
            return "may only have ASCII letters, digits, '.', '-' and '_'"
        }
        let segments = key.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return segments.contains(where: \.isEmpty) ? "has an empty segment between dots" : nil
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
