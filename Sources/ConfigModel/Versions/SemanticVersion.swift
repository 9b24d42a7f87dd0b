/// A version by Semantic Versioning 2.0.0, such as `1.4.0-rc.1+build.7`.
///
/// Versions are ordered by precedence as section 11 of the standard has it. Build metadata does not count for the
/// order, nor for equality: `1.0.0+a` and `1.0.0+b` are one version.
public struct SemanticVersion: Sendable {
    /// The major version: breaking changes raise it.
    public var major: VersionNumber
    /// The minor version: additions raise it.
    public var minor: VersionNumber
    /// The patch version: corrections raise it.
    public var patch: VersionNumber
    /// The identifiers of a pre-release, such as `["rc", "1"]`; empty for a release.
    public private(set) var prerelease: [String]
    /// The identifiers of the build, such as `["build", "7"]`.
    public private(set) var build: [String]

    /// Creates a release.
    public init(_ major: VersionNumber, _ minor: VersionNumber, _ patch: VersionNumber) {
        self.init(major: major, minor: minor, patch: patch, prerelease: [], build: [])
    }

    private init(
        major: VersionNumber,
        minor: VersionNumber,
        patch: VersionNumber,
        prerelease: [String],
        build: [String]
    ) {
        self.major = major
        self.minor = minor
        self.patch = patch
        self.prerelease = prerelease
        self.build = build
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
        let (core, build) = text.divided(by: "+")
        let (numbers, prerelease) = core.divided(by: "-")
        let parts = numbers.split(separator: ".", omittingEmptySubsequences: false)
            .map { VersionNumber(String($0)) }
        guard parts.count == 3, let major = parts[0], let minor = parts[1], let patch = parts[2],
            let prerelease = Self.identifiers(prerelease, allowsLeadingZero: false),
            let build = Self.identifiers(build, allowsLeadingZero: true)
        else { return nil }
        self.init(major: major, minor: minor, patch: patch, prerelease: prerelease, build: build)
    }

    private static func identifiers(_ text: Substring?, allowsLeadingZero: Bool) -> [String]? {
        guard let text else { return [] }
        let identifiers = text.split(separator: ".", omittingEmptySubsequences: false)
        let isValid = identifiers.allSatisfy { identifier in
            !identifier.isEmpty && identifier.utf8.allSatisfy(isAllowed)
                && (allowsLeadingZero || !identifier.isNumeric || !identifier.hasNeedlessZero)
        }
        return isValid ? identifiers.map(String.init) : nil
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"):
            true
        default:
            false
        }
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

    private var numbers: [VersionNumber] { [major, minor, patch] }

    /// Numbers come before words, and are compared as numbers of any length.
    private static func identifierPrecedes(_ left: String, _ right: String) -> Bool {
        switch (left.isNumeric, right.isNumeric) {
        case (true, true): left.utf8.count == right.utf8.count ? left < right : left.utf8.count < right.utf8.count
        case (true, false): true
        case (false, true): false
        case (false, false): left.utf8.lexicographicallyPrecedes(right.utf8)
        }
    }
}

extension SemanticVersion: EntryValueConvertible {
    /// `version such as 1.2.0`.
    public static var configTypeName: String { "version such as 1.2.0" }
}

extension StringProtocol {
    /// The parts before and after the first separator, if there is one.
    fileprivate func divided(by separator: Character) -> (Substring, Substring?) {
        guard let index = firstIndex(of: separator) else { return (self[...].asSubstring, nil) }
        return (self[..<index].asSubstring, self[self.index(after: index)...].asSubstring)
    }

    private var asSubstring: Substring { Substring(self) }
}

extension SemanticVersion: Codable {
    /// Reads a string such as `"1.2.0"`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let version = SemanticVersion(text) else {
            let message = "\"\(text.excerpt(ofScalars: 40))\" is not a \(Self.configTypeName)"
            throw DecodingError.dataCorruptedError(in: container, debugDescription: message)
        }
        self = version
    }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension SemanticVersion {
    /// The version of Livery and of both programs.
    package static let livery = SemanticVersion(1, 0, 0)
}
