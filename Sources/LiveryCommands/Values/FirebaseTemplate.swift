// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import TerminalUI

/// A template of Firebase Remote Config: `{"conditions": […], "parameters": {…}, "parameterGroups": {…}}`.
///
/// Each parameter becomes a key with its default value. One with conditional values gets a rule as well, whose variants have the
/// names of the conditions; the conditions become shared evaluators.
struct FirebaseTemplate: FlagFile {
    static let part = "parameter"

    private(set) var values: [String: EntryValue] = [:]
    private(set) var rules: [String: EntryValue] = [:]
    private(set) var leftOut = LeftOutKeys()
    private(set) var ignored: [String] = []
    private(set) var notes: [String] = []

    /// The conditions in their order, each with its operation or the reason why it has none.
    private var conditions: [(name: String, result: Result<FirebaseCondition, FirebaseCondition.Unsupported>)] = []
    /// The parameters that have a value for a condition which is not imported.
    private var unsupported: [ExactString: [String]] = [:]
    /// The conditions that rules refer to.
    private var used: Set<ExactString> = []

    /// - Throws: ``ConfigError`` with the place of the first error in the file as a whole.
    init(json: [UInt8], source: String) throws(ConfigError) {
        var reader = FirebaseTemplateReader()
        do throws(ConfigError) {
            try JSONScanner.object(json, atMost: InputFile.maximumDocumentBytes) {
                (name, scanner) throws(ConfigError) in
                try reader.readMember(name, &scanner)
            }
            if !reader.hasParameters {
                let message = "missing member 'parameters'; expected a Firebase Remote Config template"
                throw ConfigError(.unsupportedValue, message)
            }
        } catch {
            throw error.naming(source: source)
        }
        conditions = reader.conditions.map { name, expression in (name, Self.condition(expression)) }
        limitConditions(of: reader.parameters)
        var problems = reader.problems
        for parameter in reader.parameters {
            do throws(FirebaseParameter.Problem) {
                try add(parameter)
            } catch {
                problems.append(
                    ConfigError(.unsupportedValue, error.reason, location: parameter.location, key: parameter.key)
                )
            }
        }
        addEvaluators()
        for (key, faults) in Dictionary(grouping: faults, by: { $0.rule ?? "" }) where key != EntryKind.sharedRules {
            let location = reader.parameters.last { $0.key == key }?.location
            problems.append(ConfigError(.unsupportedValue, faults[0].message, location: location, key: key))
            (values[key], rules[key]) = (nil, nil)
        }
        for (key, rule) in rules where key != EntryKind.sharedRules && !rule.isWithinMaximumBytes {
            problems.append(.tooLargeRule(ofKey: key, at: reader.parameters.last { $0.key == key }?.location))
            (values[key], rules[key]) = (nil, nil)
        }
        leftOut = LeftOutKeys(problems: problems.inOrderOfLines.map { $0.naming(source: source) })
        // Without a value, there is nothing to describe.
        if reader.descriptions > 0, !values.isEmpty || !rules.isEmpty {
            ignored.append("the descriptions of \(reader.descriptions.grouped(of: "parameter"))")
        }
    }

    /// The operation of an expression that a rule accepts.
    private static func condition(
        _ expression: String
    ) -> Result<FirebaseCondition, FirebaseCondition.Unsupported> {
        do throws(FirebaseCondition.Unsupported) {
            let condition = try FirebaseCondition(expression)
            do throws(RuleError) {
                _ = try RuleEvaluators(["condition": condition.operation])
            } catch {
                throw FirebaseCondition.Unsupported(reason: error.faults.first?.message ?? "it is no operation")
            }
            return .success(condition)
        } catch {
            return .failure(error)
        }
    }

    /// Leaves out the conditions from the first one on with which the shared evaluators would be too large.
    private mutating func limitConditions(of parameters: [FirebaseParameter]) {
        let names = Set(parameters.flatMap { $0.conditionalValues.map { ExactString($0.key) } })
        var bytes = 2
        for index in conditions.indices {
            let (name, result) = conditions[index]
            guard names.contains(ExactString(name)), case .success(let condition) = result else { continue }
            // The colon and the comma.
            bytes += EntryValue.string(name).canonicalByteCount + condition.operation.canonicalByteCount + 2
            if bytes > EntryValue.maximumBytes {
                let reason = "the shared evaluators would be larger than \(EntryValue.maximumBytes) bytes"
                conditions[index].result = .failure(FirebaseCondition.Unsupported(reason: reason))
            }
        }
    }

    private var faults: [ViolationMessage] {
        NamespaceContents().ruleFaults(in: ConfigDiff(.rule, from: [:], to: rules))
    }

    private mutating func add(_ parameter: FirebaseParameter) throws(FirebaseParameter.Problem) {
        if let problem = KeyRule.problem(in: parameter.key) {
            throw FirebaseParameter.Problem(reason: "the key \(problem)")
        }
        if parameter.defaultValue == nil, parameter.conditionalValues.isEmpty {
            throw FirebaseParameter.Problem(reason: "the parameter has no value")
        }
        let plain = try parameter.defaultValue.map { (value) throws(FirebaseParameter.Problem) in
            try parameter.value(value)
        }
        let conditional = try conditionalValues(of: parameter)
        if case .managed(let kind)? = plain { ignored.append("\(parameter.key): the default value: \(kind)") }
        guard case .value(let value)? = plain else {
            if !conditional.variants.isEmpty { rules[parameter.key] = conditional.rule(otherwise: nil) }
            return
        }
        if conditional.usesAppDefault {
            let shown = value.canonicalJSON.excerpt(ofScalars: 60)
            notes.append("\(parameter.key): programs without a context get their own default, not \(shown)")
        } else {
            values[parameter.key] = value
        }
        if !conditional.branches.isEmpty { rules[parameter.key] = conditional.rule(otherwise: value) }
    }

    /// The values of a parameter for the conditions that can be imported.
    private mutating func conditionalValues(
        of parameter: FirebaseParameter
    ) throws(FirebaseParameter.Problem) -> ConditionalValues {
        var found = ConditionalValues()
        // The order of the conditions in the template decides, not that of a parameter's values.
        for (name, result) in conditions {
            guard let written = parameter.conditionalValues[name] else { continue }
            guard case .success = result else {
                unsupported[ExactString(name), default: []].append(parameter.key)
                continue
            }
            switch try parameter.value(written) {
            case .value(let value):
                let variant = Self.variant(ofCondition: name, in: parameter)
                found.variants.append((variant, value))
                found.branches += [["$ref": .string(name)], .string(variant)]
            case .appDefault:
                found.usesAppDefault = true
                found.branches += [["$ref": .string(name)], .null]
            case .managed(let kind):
                ignored.append("\(parameter.key): the value of the condition '\(name)': \(kind)")
                continue
            }
            used.insert(ExactString(name))
        }
        for (name, _) in parameter.conditionalValues where !conditions.contains(where: { $0.name == name }) {
            ignored.append("\(parameter.key): the value of the condition '\(name)', which the template does not have")
        }
        return found
    }

    /// The name of a condition, or another one if it is the name of the default value.
    private static func variant(ofCondition name: String, in parameter: FirebaseParameter) -> String {
        var variant = name
        while variant == ConfigRule.plainVariant || variant != name && parameter.conditionalValues[variant] != nil {
            variant = "condition \(variant)"
        }
        return variant
    }

    /// The variants of a rule, and the conditions that choose them.
    private struct ConditionalValues {
        var variants: [EntryObject.Member] = []
        /// Conditions with their variants in turns; null for the default of the program.
        var branches: [EntryValue] = []
        var usesAppDefault = false

        /// - Parameter value: the value where no condition is met.
        func rule(otherwise value: EntryValue?) -> EntryValue {
            let name = ConfigRule.plainVariant
            let all = (value.map { [(name, $0)] } ?? []) + variants
            let isDefault = value != nil && !usesAppDefault
            // A rule with a default variant has no other way to the program's own default.
            let branches = branches + (value != nil && usesAppDefault ? [.string(name)] : [])
            let rest: [EntryObject.Member] = isDefault ? [("defaultVariant", .string(name))] : []
            let members: [EntryObject.Member] = [
                ("variants", .object(EntryObject(all))), ("targeting", ["if": .array(branches)]),
            ]
            return ConfigRule.namingBucketing(.object(EntryObject(members + rest)))
        }
    }

    /// Adds the conditions that rules refer to, and reports on the others.
    private mutating func addEvaluators() {
        var (operations, percents): ([EntryObject.Member], [String]) = ([], [])
        var attributes: Set<String> = []
        for (name, result) in conditions {
            switch result {
            case .failure(let error):
                guard let keys = unsupported[ExactString(name)] else { continue }
                let shown =
                    keys.prefix(8).joined(separator: ", ") + (keys.count > 8 ? ", … (\(keys.count.grouped))" : "")
                ignored.append("the values of the condition '\(name)' (\(error.reason)): \(shown)")
            case .success(let condition):
                guard used.contains(ExactString(name)) else { continue }
                operations.append((name, condition.operation))
                attributes.formUnion(condition.attributes)
                if condition.isPercent { percents.append("'\(name)'") }
            }
        }
        if !operations.isEmpty { rules[EntryKind.sharedRules] = .object(EntryObject(operations)) }
        if !attributes.isEmpty {
            notes.append("the conditions read from the context: \(attributes.sorted().joined(separator: ", "))")
        }
        if !percents.isEmpty {
            let names = percents.joined(separator: ", ").excerpt(ofScalars: 200)
            notes.append("conditions with a percentage select other users than Firebase does: \(names)")
        }
    }
}

/// A parameter as it is written.
struct FirebaseParameter {
    let key: String
    var location: TextLocation?
    var type: String?
    var defaultValue: EntryValue?
    var conditionalValues = EntryObject()

    /// The reason why a parameter is not imported.
    struct Problem: Error {
        let reason: String
    }

    enum Value {
        case value(EntryValue)
        /// `useInAppDefault`: no value at all.
        case appDefault
        /// A value that Firebase chooses, in words.
        case managed(String)
    }

    /// The value of a default or a condition, of the type of the parameter.
    func value(_ written: EntryValue) throws(Problem) -> Value {
        guard case .object(let members) = written else {
            throw Problem(reason: "a value must be an object with 'value'")
        }
        if members["useInAppDefault"] == true { return .appDefault }
        for (name, words) in [
            ("personalizationValue", "personalization"), ("rolloutValue", "a rollout"),
            ("experimentValue", "an experiment"),
        ] where members[name] != nil { return .managed("\(words) of Firebase") }
        guard case .string(let text)? = members["value"] else { throw Problem(reason: "a value has no text 'value'") }
        let value: EntryValue
        switch type {
        case nil, "STRING", "PARAMETER_VALUE_TYPE_UNSPECIFIED": value = .string(text)
        case "BOOLEAN":
            guard let flag = Bool(text.lowercased()) else { throw Self.mismatch(text, "a Boolean: true or false") }
            value = .boolean(flag)
        case "NUMBER": value = try Self.number(text)
        case "JSON":
            do throws(ConfigError) {
                value = try EntryValue(json: Array(text.utf8))
            } catch {
                throw Problem(reason: "the text of a value is not a JSON value: \(error.message)")
            }
        default: throw Problem(reason: "unknown valueType '\((type ?? "").excerpt(ofScalars: 60))'")
        }
        guard value.canonicalByteCount <= EntryValue.maximumBytes else {
            throw Problem(
                reason: "a value is larger than \(EntryValue.maximumBytes) bytes; store it elsewhere and set its URL"
            )
        }
        return .value(value)
    }

    /// A decimal number, of which all digits are kept.
    private static func number(_ text: String) throws(Problem) -> EntryValue {
        let isDecimal = text.allSatisfy { "0123456789+-.eE".contains($0) }
        guard isDecimal, let number = Double(text), number.isFinite else { throw mismatch(text, "a number") }
        do throws(ConfigError) {
            return try EntryValue(json: Array(text.utf8))
        } catch {
            // Another form of a number, such as +5 or .5. A double represents any fifteen digits.
            guard error.code == .syntax, text.utf8.count <= 15 else { throw Problem(reason: error.message) }
            return EntryValue(number: number)
        }
    }

    private static func mismatch(_ text: String, _ expectation: String) -> Problem {
        Problem(reason: "\(EntryValue.string(text).canonicalJSON.excerpt(ofScalars: 60)) is not \(expectation)")
    }
}

/// Reads the members of a template.
private struct FirebaseTemplateReader {
    private(set) var conditions: [(name: String, expression: String)] = []
    private(set) var parameters: [FirebaseParameter] = []
    private(set) var hasParameters = false
    private(set) var descriptions = 0
    private(set) var problems: [ConfigError] = []

    mutating func readMember(_ name: String, _ scanner: inout JSONScanner) throws(ConfigError) {
        // A template has a million characters at most; each value is checked alone.
        scanner.limits = .ownValues
        switch name {
        case "conditions":
            for case .object(let condition) in try scanner.anyValue().elements {
                guard case .string(let name)? = condition["name"],
                    case .string(let expression)? = condition["expression"]
                else { continue }
                conditions.append((name, expression))
            }
        case "parameters": try readParameters(&scanner)
        case "parameterGroups":
            var reader = self
            try scanner.members { (_, _, scanner) throws(ConfigError) in
                try scanner.members { (name, _, scanner) throws(ConfigError) in
                    if name == "parameters" { try reader.readParameters(&scanner) } else { try scanner.skipValue() }
                }
            }
            self = reader
        default: try scanner.skipValue()
        }
    }

    private mutating func readParameters(_ scanner: inout JSONScanner) throws(ConfigError) {
        hasParameters = true
        var reader = self
        try scanner.members { (key, start, scanner) throws(ConfigError) in
            var parameter = FirebaseParameter(key: key, location: start)
            guard case .object(let members) = try scanner.anyValue() else {
                return reader.problems.append(
                    ConfigError(.unsupportedValue, "a parameter must be an object", location: start, key: key)
                )
            }
            parameter.defaultValue = members["defaultValue"].flatMap { $0 == .null ? nil : $0 }
            if case .string(let type)? = members["valueType"] { parameter.type = type }
            if case .object(let values)? = members["conditionalValues"] { parameter.conditionalValues = values }
            if members["description"] != nil { reader.descriptions += 1 }
            reader.parameters.append(parameter)
        }
        self = reader
    }
}

extension EntryValue {
    fileprivate var elements: [EntryValue] { if case .array(let elements) = self { elements } else { [] } }
}
