// SPDX-License-Identifier: Apache-2.0

/// The result of a version check: whether the program's version is in the range that a configuration requires.
public enum VersionGate: Hashable, Sendable {
    /// The version is in the range.
    case upToDate
    /// The version comes before the one that is required.
    case outOfDate(required: SemanticVersion)
    /// The version comes after the newest that is allowed.
    case tooNew(newest: SemanticVersion)
    /// The version is in no part of the range that is supported.
    case unsupported(VersionRange)

    /// Compares a program's version with the oldest and the newest that are supported, if any, by the precedence of
    /// SemVer 2.0.0.
    ///
    /// A pre-release comes before its release: 2.0.0-rc.1 is out of date where 2.0.0 is required.
    public init(of version: SemanticVersion, minimum: SemanticVersion? = nil, maximum: SemanticVersion? = nil) {
        if let minimum, version < minimum {
            self = .outOfDate(required: minimum)
        } else if let maximum, maximum < version {
            self = .tooNew(newest: maximum)
        } else {
            self = .upToDate
        }
    }

    /// Checks a program's version against a range.
    public init(of version: SemanticVersion, in range: VersionRange) {
        self = range.contains(version) ? .upToDate : .unsupported(range)
    }

    /// Whether the version is in the range.
    public var isUpToDate: Bool { self == .upToDate }
}
