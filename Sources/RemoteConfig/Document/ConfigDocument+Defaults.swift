// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import Essentials
internal import Files

extension ConfigDocument {
    /// Creates a document from any value that encodes as an object, such as a program's own settings.
    ///
    /// ```swift
    /// struct Theme: Codable { var dark = true }
    /// struct Settings: Codable { var title = "Hi"; var theme = Theme() }
    ///
    /// let service = RemoteConfigService(source: source, bundledDefault: try ConfigDocument(encoding: Settings()))
    /// ```
    ///
    /// A member that is an object is a branch of the key tree: `theme.dark`. A member that is `nil` is left out. A `Date`
    /// is a text such as `2026-11-22T21:00:00Z`, and `Data` a text of Base64; see ``EntryValue/init(encoding:)``.
    ///
    /// - Throws: `unsupportedValue` if it cannot be encoded, or the error of an invalid JSON document, with the key.
    public init(encoding value: some Encodable) throws(ConfigError) {
        try self.init(encoding: value, source: Self.bundledDefault)
    }

    private init(encoding value: some Encodable, source: String) throws(ConfigError) {
        let encoded: EntryValue
        do {
            encoded = try EntryValue(unlimited: value)
        } catch {
            let fault = CodingFault(error)
            let names = fault.path.prefix { $0.index == nil }.map(\.stringValue)
            let key = names.isEmpty ? nil : names.joined(separator: ".").shownAsKey
            let message = CodingFault(fault.message, at: Array(fault.path.dropFirst(names.count))).description
            throw ConfigError(.unsupportedValue, message, source: source, key: key, underlying: error)
        }
        try self.init(generatedJSON: Array(encoded.canonicalJSON.utf8), source: source)
    }

    /// Reads a file among the resources of a program: a property list if it is named `.plist`, YAML by its name
    /// where that trait is on, and otherwise JSON.
    ///
    /// ```swift
    /// let defaults = try ConfigDocument(contentsOf: Bundle.main.url(forResource: "defaults", withExtension: "plist"))
    /// ```
    ///
    /// - Parameter file: the file from a bundle; `nil` if the bundle does not contain it.
    /// - Throws: `notFound`, `unreadable` or `tooLarge` if it cannot be read, or the error in its contents with the position.
    public init(contentsOf file: URL?) throws(ConfigError) {
        let bytes = try Self.bundledContent(of: file)
        let name = file?.lastPathComponent ?? Self.bundledDefault
        if file?.pathExtension.lowercased() == "plist" {
            try self.init(propertyList: bytes, source: name)
        } else {
            self = try DocumentFormat(ofFile: name).document(bytes, source: name)
        }
    }

    /// The content of a file among the resources of a program.
    private static func bundledContent(of file: URL?) throws(ConfigError) -> [UInt8] {
        guard let file else {
            throw ConfigError(.notFound, "the bundled default is missing; add it to the resources of the program")
        }
        do throws(FileError) {
            return try FileContent.bytes(at: file.path(percentEncoded: false), atMost: maximumBytes)
        } catch {
            let (code, message): (ConfigError.Code, String) =
                if error.isTooLarge {
                    (.tooLarge, "is larger than 8 MiB; make it smaller")
                } else if error.isMissing {
                    (.notFound, "is missing; add it to the resources of the program")
                } else {
                    (.unreadable, "cannot be read; check its permissions")
                }
            let source = file.lastPathComponent
            throw ConfigError(code, "the bundled default " + message, source: source, underlying: error)
        }
    }

    private init(propertyList bytes: [UInt8], source: String) throws(ConfigError) {
        let tree: PropertyTree
        do {
            tree = try PropertyListDecoder().decode(PropertyTree.self, from: Data(bytes))
        } catch {
            let message = "invalid property list; check it with `plutil -lint`"
            throw ConfigError(.syntax, message, source: source, underlying: error)
        }
        if let name = PropertyListNames.repeated(in: bytes) {
            let message = "duplicate key; remove one"
            throw ConfigError(.duplicateKey, message, source: source, key: name.shownAsKey)
        }
        try self.init(encoding: tree, source: source)
    }

    static let bundledDefault = "bundled default"
}

/// The contents of a property list.
private struct PropertyTree: Codable {
    private let content: any Codable

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        // Which type it is, is only known by the attempt to decode it; a value of none of them is an error at the end.
        let types: [any Codable.Type] = [
            [String: PropertyTree].self, [PropertyTree].self, Bool.self, Int.self, Double.self, String.self, Date.self,
        ]
        for type in types {
            if let content = try? value.decode(type) {
                self.content = content
                return
            }
        }
        content = try value.decode(Data.self)
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(content)
    }
}
