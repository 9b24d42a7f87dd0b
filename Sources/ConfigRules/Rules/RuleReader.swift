// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// Reads the members of a rule, and checks that they fit together.
struct RuleReader {
    var compiler: RuleCompiler
    private(set) var variants = EntryObject()
    private(set) var defaultVariant: String?
    private(set) var isEnabled = true
    private(set) var bucketing = ConfigRule.Bucketing.flagd3
    private(set) var metadata = EntryObject()
    private(set) var targeting = RuleProgram.Shared(RuleProgram(), places: [])

    private static let members = ["variants", "defaultVariant", "state", "targeting", "metadata", "bucketing"]

    init(evaluators: RuleEvaluators) {
        compiler = RuleCompiler(evaluators: evaluators)
    }

    mutating func read(_ rule: EntryValue) {
        guard case .object(let members) = rule else {
            return compiler.addFault(at: .root, "a rule must be an object, not \(rule.kindName.withArticle)")
        }
        for (name, _) in members where !Self.members.contains(where: { $0.hasSameScalars(as: name) }) {
            let known = Self.members.joined(separator: ", ")
            fault(name, "unknown member '\(name.excerpt(ofScalars: 60))' in the rule; expected one of \(known)")
        }
        readVariants(members["variants"])
        readDefault(members["defaultVariant"] ?? .null)
        readState(members["state"])
        readMetadata(members["metadata"])
        readBucketing(members["bucketing"])
        readTargeting(members["targeting"])
    }

    private mutating func fault(_ member: String, _ message: @autoclosure () -> String) {
        compiler.addFault(at: JSONPointer.root.appending(member), message())
    }

    private mutating func readVariants(_ value: EntryValue?) {
        guard case .object(let named)? = value, !named.isEmpty else {
            return fault("variants", "'variants' is required: an object of values by name, with at least one")
        }
        variants = named
        for (name, value) in named {
            let place = JSONPointer.root.appending("variants").appending(name)
            if name.isEmpty { compiler.addFault(at: place, "the name of a variant must not be empty") }
            guard value != .null else {
                compiler.addFault(at: place, "the value of a variant must not be null")
                continue
            }
            guard value.flagType != named[0].value.flagType else { continue }
            let (kind, first) = (value.kindName.withArticle, named[0].value.kindName.withArticle)
            compiler.addFault(
                at: place,
                "all variants must have the same type; this one is \(kind), the first one \(first)"
            )
        }
    }

    private mutating func readDefault(_ value: EntryValue) {
        switch value {
        case .null, .string(""): return
        case .string(let name): defaultVariant = name
        case .boolean(let flag): defaultVariant = String(flag)
        default: return fault("defaultVariant", "'defaultVariant' must be the name of a variant, or null")
        }
        checkVariant(value, at: JSONPointer.root.appending("defaultVariant"))
    }

    private mutating func readState(_ value: EntryValue?) {
        switch value {
        case nil, .string("ENABLED")?: isEnabled = true
        case .string("DISABLED")?: isEnabled = false
        default: fault("state", "'state' must be ENABLED or DISABLED")
        }
    }

    private mutating func readMetadata(_ value: EntryValue?) {
        switch value {
        case nil, .null?: return
        case .object(let members)?:
            metadata = members
            for (name, value) in members {
                let place = JSONPointer.root.appending("metadata").appending(name)
                if name.isEmpty { compiler.addFault(at: place, "the name of a metadata member must not be empty") }
                switch value {
                case .string, .boolean, .integer, .double: continue
                default: compiler.addFault(at: place, "a metadata value must be a string, a number or a Boolean")
                }
            }
        default: fault("metadata", "'metadata' must be an object")
        }
    }

    private mutating func readBucketing(_ value: EntryValue?) {
        guard let value else { return }
        guard let known = String(configValue: value).flatMap(ConfigRule.Bucketing.init(name:)) else {
            let names = ConfigRule.Bucketing.allCases.map(\.rawValue).joined(separator: ", ")
            return fault("bucketing", "unknown bucketing; expected one of \(names)")
        }
        bucketing = known
    }

    private mutating func readTargeting(_ value: EntryValue?) {
        let place = JSONPointer.root.appending("targeting")
        switch value {
        case nil: return
        case .object(let members)? where members.isEmpty: return
        // Null is a targeting that chooses no variant, as in flagd, not the absence of one.
        case .object?, .null?:
            _ = compiler.node(of: value ?? .null, at: place)
            targeting = RuleProgram.Shared(compiler.program, places: compiler.places)
            for result in targeting.results where compiler.faults.count < RuleError.maximumFaults {
                checkVariant(result.value, at: targeting.place(of: result.node))
            }
        default: compiler.addFault(at: place, "'targeting' must be an object with an operation")
        }
    }

    private mutating func checkVariant(_ value: EntryValue, at place: JSONPointer) {
        guard value != .null, variants[value.text] == nil, !variants.isEmpty else { return }
        compiler.addFault(
            at: place,
            "unknown variant \(value.canonicalJSON.excerpt(ofScalars: 60)); expected one of \(variants.firstNames)"
        )
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
