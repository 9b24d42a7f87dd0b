// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Files

/// How a document is written, told by the name of its file.
enum DocumentFormat: String {
    case json, yaml, toml

    /// Anything but `.yaml`, `.yml` and `.toml` is JSON.
    init(ofFile path: String) {
        let name = path.fileNameOfPath.lowercased().utf8
        let suffix = name.contains(UInt8(ascii: ".")) ? name.split(separator: UInt8(ascii: ".")).last : nil
        switch suffix.map({ String(Substring($0)) }) {
        case "yaml", "yml": self = .yaml
        case "toml": self = .toml
        default: self = .json
        }
    }

    /// Reads a document of the format.
    ///
    /// - Throws: what is wrong with it, and where; `unreadable` if the program was built without the format's trait.
    func document(_ bytes: [UInt8], source: String) throws(ConfigError) -> ConfigDocument {
        switch self {
        case .json: return try ConfigDocument(json: bytes, source: source)
        case .yaml:
            #if YAML
                return try ConfigDocument(translating: bytes, source: source, YAMLReader.translation(of:))
            #else
                throw missing(trait: "YAML", source)
            #endif
        case .toml:
            #if TOML
                return try ConfigDocument(translating: bytes, source: source, TOMLReader.translation(of:))
            #else
                throw missing(trait: "TOML", source)
            #endif
        }
    }

    private func missing(trait: String, _ source: String) -> ConfigError {
        let message =
            "\(trait) is not read by this program; write JSON, or build it with the trait \(trait) of the package livery"
        return ConfigError(.unreadable, message, source: source)
    }
}
