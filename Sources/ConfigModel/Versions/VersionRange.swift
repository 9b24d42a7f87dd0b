/// A set of versions, written as npm writes it: `>=1.2.0 <2.0.0`, `^1.2`, `~1.2.3`, `1.x || 3.*`.
///
/// | written | means |
/// |---|---|
/// | `1.2.3`, `=1.2.3` | that version |
/// | `1.2`, `1.2.x` | `>=1.2.0 <1.3.0-0` |
/// | `*`, `x`, nothing | every release |
/// | `>1.2`, `>=1.2`, `<1.2`, `<=1.2` | beyond all of 1.2.x, from 1.2.0 on, before 1.2.0, up to all of 1.2.x |
/// | `^1.2.3`, `^0.2.3`, `^0.0.3` | up to the next version that may break: `<2.0.0-0`, `<0.3.0-0`, `<0.0.4-0` |
/// | `~1.2.3`, `~1` | patches: `<1.3.0-0`; minor versions: `<2.0.0-0` |
/// | `1.2 - 2.3` | `>=1.2.0 <2.4.0-0` |
/// | `A B`, `A \|\| B` | both, either |
///
/// A pre-release is in the range only if a bound names a pre-release of the same major, minor and patch version: who
/// asks for `>=1.0.0` has not asked to try 2.0.0-alpha, but who asks for `>=2.0.0-alpha` has.
public struct VersionRange: Hashable, Sendable {
    /// Each alternative is a conjunction of bounds.
    private let alternatives: [[Bound]]
    private let text: String

    /// Whether a version is in the range.
    public func contains(_ version: SemanticVersion) -> Bool {
        alternatives.contains { bounds in
            bounds.allSatisfy { $0.admits(version) }
                && (!version.isPrerelease || bounds.contains { $0.names(prereleaseOf: version) })
        }
    }

    /// A bound on one side.
    struct Bound: Hashable, Sendable {
        enum Relation: Hashable, Sendable {
            case less, lessOrEqual, equal, greaterOrEqual, greater
        }

        var relation: Relation
        var version: SemanticVersion
        /// Whether the bound was written with its pre-release, rather than made from `^` and the like.
        var isWritten = true

        func admits(_ other: SemanticVersion) -> Bool {
            switch relation {
            case .less: other < version
            case .lessOrEqual: other <= version
            case .equal: other == version
            case .greaterOrEqual: other >= version
            case .greater: other > version
            }
        }

        func names(prereleaseOf other: SemanticVersion) -> Bool {
            isWritten && version.isPrerelease && version.release == other.release
        }
    }
}

extension VersionRange: LosslessStringConvertible {
    /// The range as it was written.
    public var description: String { text }

    /// Reads a range; `nil` if it is not written as the table says.
    public init?(_ text: String) {
        var alternatives: [[Bound]] = []
        for alternative in text.split(separator: "||", omittingEmptySubsequences: false) {
            var parser = RangeParser(alternative)
            guard let bounds = parser.bounds() else { return nil }
            alternatives.append(bounds)
        }
        self.alternatives = alternatives
        self.text = text
    }

    /// Equal when written alike.
    public static func == (left: VersionRange, right: VersionRange) -> Bool {
        left.text == right.text
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

extension VersionRange: EntryValueConvertible {
    /// `range of versions such as ^1.2`.
    public static var configTypeName: String { "range of versions such as ^1.2" }
}

extension SemanticVersion {
    /// The release of the same numbers.
    var release: SemanticVersion { SemanticVersion(major, minor, patch) }
}
