// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import Configuration

/// Read with `config.string(forKey: "app.background.color", as: RGBColor.self)`.
extension RGBColor: ExpressibleByConfigString {
    /// Reads `#RRGGBB`, `RRGGBB` or `#RGB`; `nil` for anything else.
    public init?(configString: String) { self.init(configString) }
}

/// Read with `config.string(forKey: "app.min_version", as: SemanticVersion.self)`.
extension SemanticVersion: ExpressibleByConfigString {
    /// Reads a version by SemVer 2.0.0, such as `1.4.0-rc.1`; `nil` for anything else.
    public init?(configString: String) { self.init(configString) }
}

/// Read with `config.string(forKey: "app.versions", as: VersionRange.self)`.
extension VersionRange: ExpressibleByConfigString {
    /// Reads a range such as `>=1.2.0 <2.0.0`; `nil` for anything else.
    public init?(configString: String) { self.init(configString) }
}
