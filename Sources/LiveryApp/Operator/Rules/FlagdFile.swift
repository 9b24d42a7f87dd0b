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

/// A flag definition file of flagd: `{"flags": {key: flag, …}, "$evaluators": {…}, "metadata": {…}}`.
struct FlagdFile {
    /// The values of flags that have one variant and nothing to choose it by.
    private(set) var values: [String: EntryValue] = [:]
    /// The rules of all other flags, and what they share.
    private(set) var rules: [String: EntryValue] = [:]
    /// What programs without a context get of a flag with a rule, unless its key has a value: the default variant's.
    private(set) var defaults: [String: EntryValue] = [:]

    /// - Throws: ``ConfigError`` with the place of the first fault.
    init(json: [UInt8], source: String) throws(ConfigError) {
        var flags: [(key: String, flag: EntryValue)] = []
        var metadata = EntryObject()
        var hasFlags = false
        do throws(ConfigError) {
            try JSONScanner.object(json) { (name, scanner) throws(ConfigError) in
                switch name {
                case "flags":
                    hasFlags = true
                    try scanner.object { (key, scanner) throws(ConfigError) in
                        if let problem = KeyRule.problem(in: key) {
                            throw scanner.error(.invalidKey, "the key \(problem)")
                        }
                        flags.append((key, try scanner.value()))
                    }
                case EntryKind.sharedRules: rules[EntryKind.sharedRules] = try scanner.value()
                case "metadata": if case .object(let members) = try scanner.value() { metadata = members }
                default: try scanner.skipValue()
                }
            }
            if !hasFlags {
                throw ConfigError(.unsupportedValue, "there is no member 'flags'; this is no file of flagd")
            }
        } catch {
            throw error.naming(source: source)
        }
        for (key, flag) in flags { add(flag, forKey: key, setMetadata: metadata) }
    }

    private mutating func add(_ flag: EntryValue, forKey key: String, setMetadata: EntryObject) {
        guard case .object(let members) = flag else { return rules[key] = flag }
        if let value = Self.plainValue(of: members), setMetadata.isEmpty { return values[key] = value }
        if case .string(let name)? = members["defaultVariant"], case .object(let variants)? = members["variants"] {
            defaults[key] = variants[name]
        }
        // A rule is switched on unless it says otherwise.
        let kept = EntryObject(members.filter { $0.key != "state" || $0.value != "ENABLED" })
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
