// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// Reads the flags of one or more flag sets.
struct FlagSetReader {
    struct Flag {
        let key: String
        let value: EntryValue
        /// The number of its set.
        let set: Int
    }

    private(set) var flags: [Flag] = []
    /// The metadata of each set, by its number.
    private(set) var setMetadata: [EntryObject] = []
    /// The position of each readable flag in the file.
    private(set) var locations: [String: TextLocation] = [:]
    private(set) var hasFlags = false
    /// The members of `$evaluators` of all sets.
    private var evaluators: [EntryObject.Member] = []
    /// The errors of flags that cannot be read as values, by their keys.
    private(set) var problems: [ConfigError] = []
    /// The flags that a later one of the same key replaces, as flagd reads the file, and metadata that cannot be stored.
    private(set) var ignored: [String] = []

    /// - Throws: `duplicateKey` if two sets have another evaluator of the same name.
    func sharedEvaluators() throws(ConfigError) -> EntryObject {
        let all = EntryObject(evaluators)
        if let (name, _) = evaluators.first(where: { all[$0.key] != $0.value }) {
            throw ConfigError(.duplicateKey, "duplicate evaluator '\(name.shownAsKey)' in two flag sets; rename one")
        }
        return all
    }

    mutating func readSet(_ scanner: inout JSONScanner) throws(ConfigError) {
        var (reader, metadata) = (self, EntryObject())
        try scanner.object { (name, scanner) throws(ConfigError) in
            switch name {
            case "flags":
                reader.hasFlags = true
                try reader.readFlags(&scanner)
            case EntryKind.sharedRules: try reader.readEvaluators(&scanner)
            case "metadata":
                let value = try reader.part(name, &scanner) { (scanner) throws(ConfigError) in try scanner.anyValue() }
                switch value {
                case .object(let members)?: metadata = members
                case nil: reader.ignored.append(reader.problems.removeLast().description)
                case .null?: break
                default: reader.ignored.append("\(name): it is not an object")
                }
            default: try scanner.skipValue()
            }
        }
        reader.setMetadata.append(metadata)
        self = reader
    }

    private mutating func readFlags(_ scanner: inout JSONScanner) throws(ConfigError) {
        var reader = self
        if scanner.current == UInt8(ascii: "[") {
            try scanner.array { (scanner) throws(ConfigError) in
                scanner.skipWhitespace()
                var (key, ahead) = (String?.none, scanner)
                if scanner.current == UInt8(ascii: "{") {
                    try ahead.object { (name, scanner) throws(ConfigError) in
                        guard name == "key" else { return try scanner.skipValue() }
                        if case .string(let text) = try scanner.anyValue() { key = text }
                    }
                }
                if let key { return try reader.readFlag(key, &scanner) }
                reader.problems.append(scanner.error(.unsupportedValue, "the flag is missing the member 'key'"))
                try scanner.skipValue()
            }
        } else {
            try scanner.members { (key, _, scanner) throws(ConfigError) in try reader.readFlag(key, &scanner) }
        }
        self = reader
    }

    private mutating func readFlag(_ key: String, _ scanner: inout JSONScanner) throws(ConfigError) {
        let location = scanner.location
        let flag = try part(key, &scanner) { (scanner) throws(ConfigError) in try scanner.value(ofKey: key) }
        guard var value = flag else { return }
        if case .object(let members) = value { value = .object(EntryObject(members.filter { $0.key != "key" })) }
        if let first = locations.updateValue(location, forKey: key) {
            flags.removeAll { $0.key == key }
            ignored.append("\(key): the flag at \(first), replaced by the flag at \(location)")
        }
        flags.append(Flag(key: key, value: value, set: setMetadata.count))
    }

    private mutating func readEvaluators(_ scanner: inout JSONScanner) throws(ConfigError) {
        let (location, key) = (scanner.location, EntryKind.sharedRules)
        switch try part(key, &scanner, { (scanner) throws(ConfigError) in try scanner.anyValue() }) {
        case .object(let members)?: evaluators += members
        case .null?, nil: break
        default: throw ConfigError(.unsupportedValue, "'\(key)' is not an object", location: location)
        }
    }

    /// Reads a part of the file.
    ///
    /// - Returns: `nil` if it cannot be stored, which is a problem of its key.
    private mutating func part(
        _ key: String,
        _ scanner: inout JSONScanner,
        _ read: (inout JSONScanner) throws(ConfigError) -> EntryValue
    ) throws(ConfigError) -> EntryValue? {
        let start = scanner
        do throws(ConfigError) {
            return try scanner.reading(.rule, read)
        } catch {
            guard [.invalidKey, .unsupportedValue, .tooLarge, .duplicateKey].contains(error.code) else { throw error }
            problems.append(error.key == nil ? error.naming(key: key) : error)
            scanner = start
            try scanner.skipValue()
            return nil
        }
    }
}
