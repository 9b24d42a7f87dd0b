// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigModel
import ConfigRules

/// The format of a file that is imported or exported.
enum FileFormat: String, CaseIterable, ExpressibleByArgument {
    /// A document of Livery's own: plain or exact.
    case livery
    /// A flag definition file of flagd (https://flagd.dev/reference/flag-definitions).
    case flagd
}

/// A flag definition file of flagd: a flag set, `{"flags": {key: flag, …}, "$evaluators": {…}, "metadata": {…}}`, or an
/// array of flag sets. The flags of a set may also be an array, each with its key as the member `key`.
struct FlagdFile {
    /// The values of flags that have one variant and nothing to choose it by.
    private(set) var values: [String: EntryValue] = [:]
    /// The rules of all other flags, and the shared evaluators.
    private(set) var rules: [String: EntryValue] = [:]
    /// The value of the default variant of each flag with a rule.
    private(set) var defaults: [String: EntryValue] = [:]
    /// The flags that are no rules.
    private(set) var leftOut = LeftOutKeys()
    /// The members of flags that flagd ignores.
    private(set) var ignored: [String] = []

    /// The members of a flag that flagd evaluates.
    private static let members = ["state", "variants", "defaultVariant", "targeting", "metadata"]

    /// - Throws: ``ConfigError`` with the place of the first error in the file as a whole.
    init(json: [UInt8], source: String) throws(ConfigError) {
        var reader = FlagSetReader()
        do throws(ConfigError) {
            var scanner = try JSONScanner(json)
            scanner.skipWhitespace()
            if scanner.current == UInt8(ascii: "[") {
                try scanner.array { (scanner) throws(ConfigError) in try reader.readSet(&scanner) }
            } else {
                try reader.readSet(&scanner)
            }
            scanner.skipWhitespace()
            if scanner.current != nil { throw scanner.unexpected("nothing after the end of the flags") }
            if !reader.hasFlags {
                throw ConfigError(.unsupportedValue, "the member 'flags' is missing; expected a flag file of flagd")
            }
            let evaluators = try reader.sharedEvaluators()
            if !evaluators.isEmpty { rules[EntryKind.sharedRules] = .object(evaluators) }
        } catch {
            throw error.naming(source: source)
        }
        for flag in reader.flags { add(flag.value, forKey: flag.key, setMetadata: flag.setMetadata) }
        var problems = reader.problems
        let faults = NamespaceContents().ruleFaults(in: ConfigDiff(.rule, from: [:], to: rules))
        for (key, faults) in Dictionary(grouping: faults, by: { $0.rule ?? "" }) where reader.locations[key] != nil {
            let messages = faults.prefix(3).map { "\($0.pointer): \($0.message)" }
            problems.append(
                ConfigError(
                    .unsupportedValue,
                    messages.joined(separator: "; "),
                    location: reader.locations[key],
                    key: key
                )
            )
        }
        problems.sort { left, right in
            guard let left = left.location, let right = right.location else { return false }
            return (left.line, left.column) < (right.line, right.column)
        }
        for key in problems.compactMap(\.key) { (rules[key], defaults[key]) = (nil, nil) }
        leftOut = LeftOutKeys(problems: problems.map { $0.naming(source: source) })
    }

    private mutating func add(_ flag: EntryValue, forKey key: String, setMetadata: EntryObject) {
        guard case .object(let members) = flag else { return rules[key] = flag }
        if let value = Self.plainValue(of: members), setMetadata.isEmpty { return values[key] = value }
        if case .string(let name)? = members["defaultVariant"], case .object(let variants)? = members["variants"] {
            defaults[key] = variants[name]
        }
        // A rule is switched on unless it says otherwise.
        let kept = EntryObject(
            members.filter { Self.members.contains($0.key) && ($0.key != "state" || $0.value != "ENABLED") }
        )
        let others = members.map(\.key).filter { !Self.members.contains($0) }
        ignored += others.map { "\(key): the member '\($0.excerpt(ofScalars: 60))'" }
        rules[key] = ConfigRule.namingBucketing(.object(Self.adding(setMetadata, to: kept)))
    }

    /// The value of a flag that stands for a key without a rule.
    private static func plainValue(of members: EntryObject) -> EntryValue? {
        guard case .object(let variants)? = members["variants"], variants.count == 1,
            members["defaultVariant"] == .string(ConfigRule.plainVariant),
            Set(members.map(\.key)).isSubset(of: ["variants", "defaultVariant", "state"]),
            [nil, "ENABLED"].contains(members["state"])
        else { return nil }
        return variants[ConfigRule.plainVariant]
    }

    /// What is said of the set of flags is said of each; what is said of the flag itself counts more.
    private static func adding(_ metadata: EntryObject, to members: EntryObject) -> EntryObject {
        if metadata.isEmpty { return members }
        let own = if case .object(let own)? = members["metadata"] { own } else { EntryObject() }
        let all = EntryObject(Array(own) + metadata.filter { own[$0.key] == nil })
        return EntryObject(members.filter { $0.key != "metadata" } + [("metadata", .object(all))])
    }
}

/// Reads the flags of one or more flag sets.
private struct FlagSetReader {
    struct Flag {
        let key: String
        let value: EntryValue
        /// The metadata of its set.
        var setMetadata = EntryObject()
    }

    private(set) var flags: [Flag] = []
    /// Where each flag that can be read is in the file.
    private(set) var locations: [String: TextLocation] = [:]
    private(set) var hasFlags = false
    /// The members of `$evaluators` of all sets.
    private var evaluators: [EntryObject.Member] = []
    /// Why flags cannot be read as values, by their keys.
    private(set) var problems: [ConfigError] = []

    /// - Throws: `duplicateKey` if two sets have another evaluator of the same name.
    func sharedEvaluators() throws(ConfigError) -> EntryObject {
        let all = EntryObject(evaluators)
        if let (name, _) = evaluators.first(where: { all[$0.key] != $0.value }) {
            throw ConfigError(.duplicateKey, "two flag sets define the evaluator '\(name.shownAsKey)'; rename one")
        }
        return all
    }

    mutating func readSet(_ scanner: inout JSONScanner) throws(ConfigError) {
        var (reader, metadata, first) = (self, EntryObject(), flags.count)
        try scanner.object { (name, scanner) throws(ConfigError) in
            switch name {
            case "flags":
                reader.hasFlags = true
                try reader.readFlags(&scanner)
            case EntryKind.sharedRules: try reader.readEvaluators(&scanner)
            case "metadata": if case .object(let members) = try scanner.value() { metadata = members }
            default: try scanner.skipValue()
            }
        }
        while first < reader.flags.count {
            reader.flags[first].setMetadata = metadata
            first += 1
        }
        self = reader
    }

    private mutating func readFlags(_ scanner: inout JSONScanner) throws(ConfigError) {
        var reader = self
        if scanner.current == UInt8(ascii: "[") {
            try scanner.array { (scanner) throws(ConfigError) in
                var (key, ahead) = (String?.none, scanner)
                try ahead.object { (name, scanner) throws(ConfigError) in
                    if name == "key" { key = try scanner.text() } else { try scanner.skipValue() }
                }
                guard let key else { throw scanner.error(.unsupportedValue, "the flag has no member 'key'") }
                try reader.readFlag(key, &scanner)
            }
        } else {
            try scanner.object { (key, scanner) throws(ConfigError) in try reader.readFlag(key, &scanner) }
        }
        self = reader
    }

    private mutating func readFlag(_ key: String, _ scanner: inout JSONScanner) throws(ConfigError) {
        let start = scanner
        let location = scanner.location
        do throws(ConfigError) {
            var value = try scanner.value(ofKey: key)
            if case .object(let members) = value { value = .object(EntryObject(members.filter { $0.key != "key" })) }
            if let first = locations.updateValue(location, forKey: key) {
                let message = "duplicate flag, first defined at \(first); remove one"
                throw ConfigError(.duplicateKey, message, location: location, key: key)
            }
            flags.append(Flag(key: key, value: value))
        } catch {
            guard [.invalidKey, .unsupportedValue, .tooLarge].contains(error.code) else { throw error }
            problems.append(error)
            scanner = start
            try scanner.skipValue()
        }
    }

    private mutating func readEvaluators(_ scanner: inout JSONScanner) throws(ConfigError) {
        let location = scanner.location
        guard case .object(let members) = try scanner.value() else {
            throw ConfigError(.unsupportedValue, "'\(EntryKind.sharedRules)' is not an object", location: location)
        }
        evaluators += members
    }
}

extension FlagdFile {
    /// A namespace as flagd reads it. A key without a rule is a flag with one variant.
    static func json(of contents: NamespaceContents) -> [UInt8] {
        let keys = Set(contents.values.keys).union(contents.rules.keys).subtracting([EntryKind.sharedRules])
        return JSONWriter.object { object in
            object.member("$schema") { $0.string("https://flagd.dev/schema/v0/flags.json") }
            object.member("flags") { member in
                member.object { flags in
                    for key in keys.sorted() {
                        flags.member(key) { $0.value(flag(ofKey: key, in: contents)) }
                    }
                }
            }
            if let shared = contents.rules[EntryKind.sharedRules] {
                object.member(EntryKind.sharedRules) { $0.value(shared) }
            }
        }
    }

    private static func flag(ofKey key: String, in contents: NamespaceContents) -> EntryValue {
        guard case .object(let members)? = contents.rules[key] else {
            let variant = ConfigRule.plainVariant
            let variants = EntryObject([(variant, contents.values[key] ?? .null)])
            return ["state": "ENABLED", "variants": .object(variants), "defaultVariant": .string(variant)]
        }
        let kept = members.filter { $0.key != "bucketing" }
        return .object(EntryObject(kept + (members["state"] == nil ? [("state", "ENABLED")] : [])))
    }

    /// What the format cannot say of a namespace, as sentences.
    static func losses(of contents: NamespaceContents) -> [String] {
        var losses: [String] = []
        if !contents.schemas.isEmpty { losses.append("The schemas are left out: flagd's format has none.") }
        let others = contents.rules.count { key, rule in
            guard case .object(let members) = rule, let value = contents.values[key] else { return false }
            guard case .string(let name)? = members["defaultVariant"], case .object(let variants)? = members["variants"]
            else { return true }
            return variants[name] != value
        }
        if others > 0 {
            let what = others == 1 ? "1 key" : "\(others.grouped) keys"
            losses.append("The value that \(what) has without a rule is left out: flagd's format has only variants.")
        }
        return losses
    }
}
