// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import TerminalUI

/// A flag definition file of flagd: a flag set, `{"flags": {key: flag, …}, "$evaluators": {…}, "metadata": {…}}`, or an
/// array of flag sets. The flags of a set may also be an array, each with its key as the member `key`.
struct FlagdFile: FlagFile {
    static let part = "flag"

    /// Those of flags that have one variant and nothing to choose it by.
    private(set) var values: [String: EntryValue] = [:]
    /// Those of all other flags.
    private(set) var rules: [String: EntryValue] = [:]
    /// The value of the default variant of each flag with a rule.
    private(set) var defaults: [String: EntryValue] = [:]
    private(set) var leftOut = LeftOutKeys()
    private(set) var ignored: [String] = []
    private(set) var notes: [String] = []

    private let bucketing: RuleBucketing

    /// The members of a flag that flagd evaluates.
    private static let members = ["state", "variants", "defaultVariant", "targeting", "metadata"]

    /// - Parameter bucketing: the algorithm of the flagd that the file was made for; `nil` for the current one.
    /// - Throws: ``ConfigError`` with the place of the first error in the file as a whole.
    init(json: [UInt8], source: String, bucketing: RuleBucketing? = nil) throws(ConfigError) {
        self.bucketing = bucketing ?? .current
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
            if scanner.current != nil { throw scanner.unexpected("the end of input") }
            if !reader.hasFlags {
                throw ConfigError(.unsupportedValue, "missing member 'flags'; expected a flagd flag file")
            }
            let evaluators = try reader.sharedEvaluators()
            if !evaluators.isEmpty { rules[EntryKind.sharedRules] = .object(evaluators) }
        } catch {
            throw error.naming(source: source)
        }
        ignored = reader.ignored
        for flag in reader.flags {
            add(flag.value, forKey: flag.key, setMetadata: reader.setMetadata[flag.set])
        }
        // From the last to the first, since the indices after a removed condition change.
        notes += faults.reversed().compactMap { replaceByNull($0) }.reversed()
        var problems = reader.problems
        for fault in faults where fault.rule == EntryKind.sharedRules { problems.append(leaveOutEvaluator(fault)) }
        for (key, faults) in Dictionary(grouping: faults, by: { $0.rule ?? "" }) {
            let message = faults.prefix(3).map(\.sentence).joined(separator: "; ")
            problems.append(ConfigError(.unsupportedValue, message, location: reader.locations[key], key: key))
            (rules[key], defaults[key]) = (nil, nil)
        }
        // With the metadata of its set, a rule may be larger than the flag.
        for (key, rule) in rules where key != EntryKind.sharedRules && !rule.isWithinMaximumBytes {
            problems.append(.tooLargeRule(ofKey: key, at: reader.locations[key]))
            (rules[key], defaults[key]) = (nil, nil)
        }
        if rules.values.contains(where: ConfigRule.hasSplit) {
            notes.append(bucketing.map(\.note) ?? Self.bucketingNote)
        }
        leftOut = LeftOutKeys(problems: problems.inOrderOfLines.map { $0.naming(source: source) })
    }

    private static let bucketingNote = """
        fractional divides users as flagd-3, like flagd's Python core 2.0.0; if the users came from flagd 0.15.0 to 0.16.1, \
        import with --buckets flagd-2, if from an older one, with --buckets flagd-1, or half of them may change variants; \
        see Documentation/Migration.md
        """

    /// The errors in the rules and the evaluators as they are now.
    private var faults: [ViolationMessage] {
        NamespaceContents().ruleFaults(in: ConfigDiff(.rule, from: [:], to: rules))
    }

    /// Replaces an operation by null if flagd evaluates it to null each time.
    ///
    /// - Returns: the replaced part; `nil` if there is none.
    private mutating func replaceByNull(_ fault: ViolationMessage) -> String? {
        guard let key = fault.rule, let rule = rules[key],
            let replaced = FlagdTargeting.replacingOperation(at: fault.pointer, in: rule)
        else { return nil }
        rules[key] = replaced
        return "\(key): \(fault.sentence); imported as null, as flagd evaluates it"
    }

    /// - Returns: why the evaluator is left out. The flags that refer to it are left out because it does not exist.
    private mutating func leaveOutEvaluator(_ fault: ViolationMessage) -> ConfigError {
        let key = EntryKind.sharedRules
        if case .object(var evaluators)? = rules[key], let name = JSONPointer.tokens(of: fault.pointer).first {
            evaluators.setMember(name, to: nil)
            rules[key] = evaluators.isEmpty ? nil : .object(evaluators)
        }
        return ConfigError(.unsupportedValue, fault.sentence, key: key)
    }

    private mutating func add(_ flag: EntryValue, forKey key: String, setMetadata: EntryObject) {
        guard case .object(let members) = flag else { return rules[key] = flag }
        if let value = Self.plainValue(of: members), setMetadata.isEmpty { return values[key] = value }
        if case .string(let name)? = members["defaultVariant"], case .object(let variants)? = members["variants"] {
            defaults[key] = variants[name]
        }
        // A rule is enabled by default.
        let kept = EntryObject(
            members.filter { Self.members.contains($0.key) && ($0.key != "state" || $0.value != "ENABLED") }
        )
        let others = members.map(\.key).filter { !Self.members.contains($0) }
        ignored += others.map { "\(key): the member '\($0.excerpt(ofScalars: 60))'" }
        let rule = EntryValue.object(Self.adding(setMetadata, to: kept))
        let isDivided = ConfigRule.hasSplit(rule) || ConfigRule.refersToEvaluators(rule)
        rules[key] = ConfigRule.namingBucketing(rule, as: isDivided ? bucketing : .current)
    }

    /// The value of a flag that represents a key without a rule.
    private static func plainValue(of members: EntryObject) -> EntryValue? {
        guard case .object(let variants)? = members["variants"], variants.count == 1,
            members["defaultVariant"] == .string(ConfigRule.plainVariant),
            Set(members.map(\.key)).isSubset(of: ["variants", "defaultVariant", "state"]),
            [nil, "ENABLED"].contains(members["state"])
        else { return nil }
        return variants[ConfigRule.plainVariant]
    }

    /// The metadata of the flag set applies to each flag; that of the flag itself takes precedence.
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

    /// The parts of a namespace that the format cannot express, as sentences.
    static func losses(of contents: NamespaceContents) -> [String] {
        var losses: [String] = []
        if !contents.schemas.isEmpty { losses.append("Skipped the schemas: the flagd format does not support them.") }
        let others = contents.rules.count { key, rule in
            guard case .object(let members) = rule, let value = contents.values[key] else { return false }
            guard case .string(let name)? = members["defaultVariant"], case .object(let variants)? = members["variants"]
            else { return true }
            return variants[name] != value
        }
        if others > 0 {
            let what = others.grouped(of: "key")
            losses.append("Skipped the default value of \(what): the flagd format supports only variants.")
        }
        let hasSharedSplit = contents.rules[EntryKind.sharedRules].map(ConfigRule.hasSplit) ?? false
        let algorithms = contents.rules.compactMap { key, rule -> String? in
            let isDivided = ConfigRule.hasSplit(rule) || hasSharedSplit && ConfigRule.refersToEvaluators(rule)
            guard isDivided, key != EntryKind.sharedRules, case .object(let members) = rule else { return nil }
            return RuleBucketing(of: members).rawValue
        }
        if !algorithms.isEmpty {
            let names = Set(algorithms).sorted().joined(separator: ", ")
            losses.append(
                "Skipped the buckets of the splits (\(names)): flagd divides users by the algorithm of its version."
            )
        }
        return losses
    }
}

extension RuleBucketing {
    fileprivate var note: String { "fractional divides users as \(rawValue)" }
}

extension ViolationMessage {
    /// The place and the message.
    fileprivate var sentence: String { pointer.isEmpty ? message : "\(pointer): \(message)" }
}
