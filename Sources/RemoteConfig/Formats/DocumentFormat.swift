// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Files

/// How a document is written, told by the name of its file.
enum DocumentFormat: String {
    case json, yaml

    /// Anything but `.yaml` and `.yml` is JSON.
    init(ofFile path: String) {
        let name = path.fileNameOfPath.lowercased().utf8
        let suffix = name.contains(UInt8(ascii: ".")) ? name.split(separator: UInt8(ascii: ".")).last : nil
        switch suffix.map({ String(Substring($0)) }) {
        case "yaml", "yml": self = .yaml
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
                let message =
                    "YAML is not read by this program; write JSON, or build it with the trait YAML of the package livery"
                throw ConfigError(.unreadable, message, source: source)
            #endif
        }
    }
}
