// SPDX-License-Identifier: Apache-2.0

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

    func holds<Version: NumberedVersion>(_ left: Version, _ right: Version) -> Bool {
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

/// A version whose first numbers can be compared alone.
protocol NumberedVersion: Comparable {
    associatedtype Number: Equatable
    var major: Number { get }
    var minor: Number { get }
}

extension SemanticVersion: NumberedVersion {}

extension SemanticVersion {
    /// The maximum size of a version, in bytes.
    static let maximumBytes = 256

    /// Reads a version as `sem_ver` does: `v2.1` is 2.1.0, and the number 2 is 2.0.0. A text of more than 256 bytes is
    /// not a version.
    init?(rule value: EntryValue) {
        switch value {
        case .string(let text) where text.utf8.count <= Self.maximumBytes: self.init(partial: text)
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

/// A version that others are compared with.
struct VersionLimit: Hashable, Sendable {
    private let version: SemanticVersion
    /// The numbers of the version, if it is a release with numbers that are not long.
    private let numbers: ShortVersion?

    init(_ version: SemanticVersion) {
        self.version = version
        numbers = version.isPrerelease ? nil : ShortVersion("\(version.major).\(version.minor).\(version.patch)")
    }

    /// Whether a version satisfies a relation to this one; `nil` for anything but a version.
    func relates(by relation: VersionRelation, to value: EntryValue) -> Bool? {
        if let numbers, case .string(let text) = value, let other = ShortVersion(text) {
            return relation.holds(other, numbers)
        }
        return SemanticVersion(rule: value).map { relation.holds($0, version) }
    }
}

/// A release whose numbers have at most nine digits, such as most versions are: it is read without an allocation.
private struct ShortVersion: Hashable, NumberedVersion {
    private(set) var major = 0
    private(set) var minor = 0
    private(set) var patch = 0

    /// - Returns: `nil` for anything but three numbers, although other texts may be versions as well.
    init?(_ text: String) {
        var (numbers, digits, place) = (InlineArray<3, Int>(repeating: 0), 0, 0)
        for byte in text.utf8 {
            if byte == UInt8(ascii: "."), digits > 0, place < 2 {
                (place, digits) = (place + 1, 0)
            } else if byte.isDigit, digits < 9, digits == 0 || numbers[place] > 0 {
                numbers[place] = numbers[place] * 10 + Int(byte - UInt8(ascii: "0"))
                digits += 1
            } else {
                return nil
            }
        }
        guard place == 2, digits > 0 else { return nil }
        (major, minor, patch) = (numbers[0], numbers[1], numbers[2])
    }

    static func < (left: ShortVersion, right: ShortVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }
}
