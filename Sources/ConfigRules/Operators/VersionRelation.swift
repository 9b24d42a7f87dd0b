import ConfigModel

/// The operators of `sem_ver`.
enum VersionRelation: String, CaseIterable, Sendable {
    case equal = "="
    case unequal = "!="
    case before = "<"
    case notAfter = "<="
    case after = ">"
    case notBefore = ">="
    /// The same major version.
    case sameMajor = "^"
    /// The same major and minor version.
    case sameMinor = "~"

    func holds(_ left: SemanticVersion, _ right: SemanticVersion) -> Bool {
        switch self {
        case .equal: left == right
        case .unequal: left != right
        case .before: left < right
        case .notAfter: left <= right
        case .after: left > right
        case .notBefore: left >= right
        case .sameMajor: left.major == right.major
        case .sameMinor: left.major == right.major && left.minor == right.minor
        }
    }
}

extension SemanticVersion {
    /// Reads a version as `sem_ver` does: `v2.1` is 2.1.0, and the number 2 is 2.0.0.
    init?(rule value: EntryValue) {
        switch value {
        case .string(let text): self.init(partial: text)
        case .integer, .double: self.init(partial: value.canonicalJSON)
        default: return nil
        }
    }

    private init?(partial text: String) {
        let isPrefixed = text.utf8.first == UInt8(ascii: "v") || text.utf8.first == UInt8(ascii: "V")
        let version = isPrefixed ? text.dropFirst() : text[...]
        let numbers = version.utf8.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }
        let missing = 2 - numbers.count { $0 == UInt8(ascii: ".") }
        guard missing > 0 else {
            self.init(String(version))
            return
        }
        let zeros = String(repeating: ".0", count: missing)
        self.init(String(Substring(numbers)) + zeros + version[numbers.endIndex...])
    }
}
