public import ConfigModel

extension ConfigCondition {
    /// Holds on one of these operating systems.
    public static func platform(_ platforms: Platform...) -> ConfigCondition {
        fact(.platform, "platform is " + listed(platforms.map(\.rawValue))) { platforms.contains($0.platform) }
    }

    /// Holds on a processor of one of these architectures.
    public static func architecture(_ architectures: Architecture...) -> ConfigCondition {
        fact(.architecture, "architecture is " + listed(architectures.map(\.rawValue))) {
            architectures.contains($0.architecture)
        }
    }

    /// Holds on a terminal that shows at least so many colours: 8, 256 or 16,777,216.
    public static func colors(atLeast count: Int) -> ConfigCondition {
        fact(.colors, "at least \(count) colours") { ($0.colors ?? 0) >= count }
    }

    /// Holds for a program whose version is in a range, such as `>=1.2.0 <2.0.0`.
    public static func version(_ range: VersionRange) -> ConfigCondition {
        fact(.version, "version is \(range)") { $0.version.map(range.contains) ?? false }
    }

    /// Holds for users of one of these languages: `pt` holds for `pt-BR` as well.
    public static func language(_ ranges: String...) -> ConfigCondition {
        fact(.language, "language is " + listed(ranges)) { facts in
            guard let language = facts.language.flatMap(LanguageTag.init) else { return false }
            return ranges.contains(where: language.matches)
        }
    }

    /// Holds while an environment variable is set, empty or not.
    public static func environment(_ variable: String) -> ConfigCondition {
        fact(.environment, "\(variable) is set") { $0.environment[variable] != nil }
    }

    /// Holds while an environment variable has a value.
    public static func environment(_ variable: String, is value: String) -> ConfigCondition {
        fact(.environment, "\(variable) is \(value)") { $0.environment[variable] == value }
    }

    private static func fact(
        _ fact: Fact,
        _ name: String,
        _ holds: @escaping @Sendable (Surroundings.Facts) -> Bool
    ) -> ConfigCondition {
        ConfigCondition(name) {
            holds($0.facts)
        } changes: {
            [$0.changes(of: fact)]
        }
    }

    private static func listed(_ names: [String]) -> String { names.joined(separator: " or ") }
}
