// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// Reads the members of a rule, and checks that they fit together.
struct RuleReader {
    var compiler: RuleCompiler
    private(set) var variants = EntryObject()
    private(set) var defaultVariant: String?
    private(set) var isEnabled = true
    private(set) var bucketing = RuleBucketing.current
    private(set) var metadata = EntryObject()
    private(set) var targeting = RuleProgram.Shared(RuleProgram(), places: [])

    private static let members = ["variants", "defaultVariant", "state", "targeting", "metadata", "bucketing"]

    init(evaluators: RuleEvaluators) { compiler = RuleCompiler(evaluators: evaluators) }

    mutating func read(_ rule: EntryValue) {
        guard case .object(let members) = rule else {
            return compiler.addFault(at: .root, "a rule must be an object, not \(rule.kindName.withArticle)")
        }
        for (name, _) in members where !Self.members.contains(where: { $0.hasSameScalars(as: name) }) {
            let known = Self.members.joined(separator: ", ")
            fault("unknown member '\(name.excerpt(ofScalars: 60))' in the rule; expected one of \(known)", at: name)
        }
        readVariants(members["variants"])
        readDefault(members["defaultVariant"] ?? .null)
        readState(members["state"])
        readMetadata(members["metadata"])
        readBucketing(members["bucketing"])
        readTargeting(members["targeting"])
    }

    /// - Parameter names: the names that lead to the place of the error.
    private mutating func fault(_ message: @autoclosure () -> String, at names: String...) {
        compiler.addFault(at: names.reduce(.root) { $0.appending($1) }, message())
    }

    private mutating func readVariants(_ value: EntryValue?) {
        guard case .object(let named)? = value, !named.isEmpty else {
            return fault("'variants' is required: an object of values by name, with at least one", at: "variants")
        }
        variants = named
        for (name, value) in named {
            if name.isEmpty { fault("the name of a variant must not be empty", at: "variants", name) }
            if value == .null {
                fault("the value of a variant must not be null", at: "variants", name)
            } else if value.flagType != named[0].value.flagType {
                let (kind, first) = (value.kindName.withArticle, named[0].value.kindName.withArticle)
                let message = "all variants must have the same type; this one is \(kind), the first one \(first)"
                fault(message, at: "variants", name)
            }
        }
    }

    private mutating func readDefault(_ value: EntryValue) {
        switch value {
        case .null, .string(""): return
        case .string(let name): defaultVariant = name
        case .boolean(let flag): defaultVariant = String(flag)
        default: return fault("'defaultVariant' must be the name of a variant, or null", at: "defaultVariant")
        }
        checkVariant(value, at: JSONPointer.root.appending("defaultVariant"))
    }

    private mutating func readState(_ value: EntryValue?) {
        switch value {
        case nil, .string("ENABLED")?: isEnabled = true
        case .string("DISABLED")?: isEnabled = false
        default: fault("'state' must be ENABLED or DISABLED", at: "state")
        }
    }

    private mutating func readMetadata(_ value: EntryValue?) {
        switch value {
        case nil, .null?: return
        case .object(let members)?:
            metadata = members
            for (name, value) in members {
                if name.isEmpty { fault("the name of a metadata member must not be empty", at: "metadata", name) }
                switch value {
                case .string, .boolean, .integer, .double: continue
                default: fault("a metadata value must be a string, a number or a Boolean", at: "metadata", name)
                }
            }
        default: fault("'metadata' must be an object", at: "metadata")
        }
    }

    private mutating func readBucketing(_ value: EntryValue?) {
        guard let value else { return }
        guard let known = String(configValue: value).flatMap(RuleBucketing.init(name:)) else {
            let names = RuleBucketing.allCases.map(\.rawValue).joined(separator: ", ")
            return fault("unknown bucketing; expected one of \(names)", at: "bucketing")
        }
        bucketing = known
    }

    private mutating func readTargeting(_ value: EntryValue?) {
        switch value {
        case nil: return
        case .object(let members)? where members.isEmpty: return
        // Null is a targeting that chooses no variant, as in flagd, not the absence of one.
        case .object?, .null?:
            _ = compiler.node(of: value ?? .null, at: JSONPointer.root.appending("targeting"))
            targeting = RuleProgram.Shared(compiler.program, places: compiler.places)
            for result in targeting.results where compiler.faults.count < RuleError.maximumFaults {
                checkVariant(result.value, at: targeting.place(of: result.node))
            }
        default: fault("'targeting' must be an object with an operation", at: "targeting")
        }
    }

    private mutating func checkVariant(_ value: EntryValue, at place: JSONPointer) {
        guard value != .null, variants[value.text] == nil, !variants.isEmpty else { return }
        let shown = value.canonicalJSON.excerpt(ofScalars: 60)
        compiler.addFault(at: place, "unknown variant \(shown); expected one of \(variants.firstNames)")
    }
}

extension EntryObject {
    /// The names of the first members, for a message.
    var firstNames: String { prefix(100).map(\.key).joined(separator: ", ").excerpt(ofScalars: 200) }
}

extension EntryValue {
    /// The types that OpenFeature distinguishes: an array counts as an object.
    fileprivate var flagType: Int {
        switch self {
        case .null: 0
        case .boolean: 1
        case .integer, .double: 2
        case .string: 3
        case .array, .object: 4
        }
    }
}
