// SPDX-License-Identifier: Apache-2.0

/// A version by Semantic Versioning 2.0.0, such as `1.4.0-rc.1+build.7`.
///
/// Versions are ordered by precedence as section 11 of the standard has it. Build metadata does not count for the
/// order, nor for equality: `1.0.0+a` and `1.0.0+b` are one version.
public struct SemanticVersion: Sendable {
    /// The major version: breaking changes raise it.
    package var major: VersionNumber
    /// The minor version: additions raise it.
    package var minor: VersionNumber
    /// The patch version: corrections raise it.
    package var patch: VersionNumber
    /// The identifiers of a pre-release, such as `["rc", "1"]`; empty for a release.
    public private(set) var prerelease: [String] = []
    /// The identifiers of the build, such as `["build", "7"]`.
    public private(set) var build: [String] = []

    /// Creates a release.
    public init(_ major: UInt, _ minor: UInt, _ patch: UInt) {
        self.init(major: VersionNumber(major), minor: VersionNumber(minor), patch: VersionNumber(patch))
    }

    /// Creates a release of numbers of any length.
    package init(major: VersionNumber, minor: VersionNumber, patch: VersionNumber) {
        (self.major, self.minor, self.patch) = (major, minor, patch)
    }

    /// Whether this is a pre-release.
    public var isPrerelease: Bool { !prerelease.isEmpty }
}

extension SemanticVersion: LosslessStringConvertible {
    /// The version as the standard writes it.
    public var description: String {
        let suffix = prerelease.isEmpty ? "" : "-" + prerelease.joined(separator: ".")
        return "\(major).\(minor).\(patch)" + suffix + (build.isEmpty ? "" : "+" + build.joined(separator: "."))
    }

    /// Reads a version.
    ///
    /// - Returns: `nil` for anything that the standard's grammar does not allow. Numbers may have any length.
    public init?(_ text: String) {
        let halves = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let core = halves[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = core[0].split(separator: ".", omittingEmptySubsequences: false).map { VersionNumber(String($0)) }
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1], let patch = numbers[2],
            let prerelease = Self.identifiers(core.dropFirst().first, allowsLeadingZero: false),
            let build = Self.identifiers(halves.dropFirst().first, allowsLeadingZero: true)
        else { return nil }
        self.init(major: major, minor: minor, patch: patch)
        (self.prerelease, self.build) = (prerelease, build)
    }

    private static func identifiers(_ text: Substring?, allowsLeadingZero: Bool) -> [String]? {
        guard let text else { return [] }
        let identifiers = text.split(separator: ".", omittingEmptySubsequences: false)
        let isValid = identifiers.allSatisfy { identifier in
            !identifier.isEmpty
                && identifier.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
                && (allowsLeadingZero || !identifier.isNumeric || !identifier.hasNeedlessZero)
        }
        return isValid ? identifiers.map(String.init) : nil
    }
}

extension SemanticVersion: Hashable, Comparable {
    /// Equal when neither has precedence; the build does not count.
    public static func == (left: SemanticVersion, right: SemanticVersion) -> Bool {
        left.numbers == right.numbers && left.prerelease == right.prerelease
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(numbers)
        hasher.combine(prerelease)
    }

    /// Orders by precedence, section 11 of the standard.
    public static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
        if left.numbers != right.numbers { return left.numbers.lexicographicallyPrecedes(right.numbers) }
        if left.prerelease.isEmpty || right.prerelease.isEmpty { return left.isPrerelease && !right.isPrerelease }
        return left.prerelease.lexicographicallyPrecedes(right.prerelease, by: identifierPrecedes)
    }

    var numbers: [VersionNumber] { [major, minor, patch] }

    /// Numbers come before words, and are compared as numbers of any length.
    private static func identifierPrecedes(_ left: String, _ right: String) -> Bool {
        switch (VersionNumber(left), VersionNumber(right)) {
        case (let left?, let right?): left < right
        case (nil, nil): left.utf8.lexicographicallyPrecedes(right.utf8)
        case (let number, _): number != nil
        }
    }
}

extension SemanticVersion: CodedScalar {
    package static var configTypeName: String { "version such as 1.2.0" }
    package static var configSchema: EntryValue { ["type": "string", "format": "semver"] }
}

extension SemanticVersion: Codable {
    /// Reads a string such as `"1.2.0"`.
    public init(from decoder: any Decoder) throws { self = try decoder.parsedText() }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension SemanticVersion {
    /// The version of Livery and of both programs.
    package static let livery = SemanticVersion(0, 9, 0)
}

/// One of the three numbers of a ``SemanticVersion``, from 0 on, of any length.
///
/// The standard sets no limit, and some projects use the date and time as a number.
package struct VersionNumber: Hashable, Sendable {
    /// Without needless zeros.
    private let digits: String

    private init(digits: String) {
        self.digits = digits
    }

    /// Creates a number.
    package init(_ number: UInt) {
        digits = String(number)
    }

    /// The number after this one.
    package var next: VersionNumber {
        let nines = digits.utf8.reversed().prefix { $0 == UInt8(ascii: "9") }.count
        var head = Array(digits.utf8.dropLast(nines))
        if let last = head.popLast() { head.append(last + 1) } else { head = [UInt8(ascii: "1")] }
        return VersionNumber(digits: String(decoding: head, as: UTF8.self) + String(repeating: "0", count: nines))
    }
}

extension VersionNumber: ExpressibleByIntegerLiteral {
    /// Creates a number.
    package init(integerLiteral number: UInt) { self.init(number) }
}

extension VersionNumber: Comparable {
    /// Orders by size.
    package static func < (left: VersionNumber, right: VersionNumber) -> Bool {
        let (leftCount, rightCount) = (left.digits.utf8.count, right.digits.utf8.count)
        if leftCount != rightCount { return leftCount < rightCount }
        return left.digits.utf8.lexicographicallyPrecedes(right.digits.utf8)
    }
}

extension VersionNumber: LosslessStringConvertible {
    /// The digits.
    package var description: String { digits }

    /// Reads ASCII digits without a sign and without needless zeros; anything else is `nil`.
    package init?(_ text: String) {
        guard text.isNumeric, !text.hasNeedlessZero else { return nil }
        digits = text
    }
}

extension StringProtocol {
    /// Whether there are only ASCII digits, at least one.
    var isNumeric: Bool {
        !isEmpty && utf8.allSatisfy(\.isDigit)
    }

    /// Whether the first of several digits is a zero.
    var hasNeedlessZero: Bool {
        utf8.count > 1 && utf8.first == UInt8(ascii: "0")
    }
}
