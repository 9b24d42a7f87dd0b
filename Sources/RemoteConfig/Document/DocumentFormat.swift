// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// The format of a document.
///
/// ```swift
/// let document = try DocumentFormat.yaml.document(Array("theme: {dark: true}".utf8), source: "theme.yaml")
/// ```
public enum DocumentFormat: String, Hashable, Sendable {
    /// JSON (RFC 8259).
    case json
    /// YAML 1.2, as far as its values are those of JSON; it needs the package's trait `YAML`.
    case yaml

    /// The format that the name of a file states: YAML for `.yaml` and `.yml`, otherwise JSON.
    public init(ofFile path: String) {
        let name = path.lowercased()
        self = name.hasSuffix(".yaml") || name.hasSuffix(".yml") ? .yaml : .json
    }

    /// The text of a document as JSON; `nil` if it cannot be read.
    package func json(of bytes: [UInt8]) -> [UInt8]? {
        #if YAML
            if self == .yaml { return (try? YAMLReader.translation(of: bytes))?.json }
        #endif
        return self == .json ? bytes : nil
    }

    /// Reads a document of the format.
    ///
    /// - Parameters:
    ///   - bytes: The document as UTF-8, of 8 MiB at most.
    ///   - source: The name of the source, for entries and errors.
    /// - Throws: the error in the document, with its position; `unreadable` if the program was built without the format's
    ///   trait.
    public func document(_ bytes: [UInt8], source: String) throws(ConfigError) -> ConfigDocument {
        switch self {
        case .json: return try ConfigDocument(json: bytes, source: source)
        case .yaml:
            #if YAML
                return try ConfigDocument(translating: bytes, source: source, YAMLReader.translation(of:))
            #else
                let message =
                    "YAML is not supported by this build; use JSON, or enable the trait YAML of the package livery"
                throw ConfigError(.unreadable, message, source: source)
            #endif
        }
    }
}
