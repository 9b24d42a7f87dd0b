// SPDX-License-Identifier: Apache-2.0

import ConfigModel

extension RuleMachine {
    /// The value at a path; `nil` for a missing value and for null.
    mutating func value(at path: [String], in scope: Scope) throws(ExceededLimit) -> EntryValue? {
        var rest = path[...]
        var found: EntryValue
        switch scope {
        case .element(let element): found = element
        case .context:
            guard let name = rest.popFirst() else { return nil }
            inputs.insert(RuleInputs(of: name))
            guard let attribute = try value(of: RuleAttribute(name)) else { return nil }
            found = attribute
        }
        for name in rest {
            try charge(1)
            guard let next = try member(name, of: found) else { return nil }
            found = next
        }
        return found == .null ? nil : found
    }

    /// `var`: an empty key is for all, anything else a path as a text.
    mutating func variable(_ key: EntryValue, in scope: Scope) throws(ExceededLimit) -> EntryValue? {
        switch key {
        case .null, .string(""): return try whole(scope)
        default:
            let path = try text(of: key)
            try charge(text: path)
            return try value(at: RuleNode.components(of: path), in: scope)
        }
    }

    /// The keys of which nothing, or an empty text, is there.
    mutating func missing(_ keys: [EntryValue], in scope: Scope) throws(ExceededLimit) -> [EntryValue] {
        try charge(copying: keys.count)
        var missing: [EntryValue] = []
        for key in keys {
            try charge(1)
            let found = try variable(key, in: scope)
            if found == nil || found == .string("") { missing.append(key) }
        }
        return missing
    }

    /// The keys that `missing` checks: its arguments, or its first argument if that is an array.
    static func keys(_ values: [EntryValue]) -> [EntryValue] {
        if case .array(let keys)? = values.first { keys } else { values }
    }

    mutating func value(of attribute: RuleAttribute) throws(ExceededLimit) -> EntryValue? {
        switch attribute {
        case .targetingKey: return context.targetingKey.map { .string($0) }
        case .flag: return flagAttribute
        case .named(let name):
            try charge(text: name)
            return context.attributes[name]
        }
    }

    private var flagAttribute: EntryValue {
        mutating get { .object(EntryObject([("flagKey", .string(readFlag())), ("timestamp", .integer(timestamp))])) }
    }

    /// All that `var` can see. That of the context is built once in an evaluation.
    private mutating func whole(_ scope: Scope) throws(ExceededLimit) -> EntryValue {
        if case .element(let element) = scope { return element }
        inputs = .all
        let flag = flagAttribute
        if let wholeContext { return wholeContext }
        try charge(copying: context.attributes.count + 2, of: EntryObject.Member.self)
        var members = context.attributes
        members.setMember(RuleAttribute.flag.name, to: flag)
        members.setMember(RuleAttribute.targetingKey.name, to: context.targetingKey.map { .string($0) } ?? .null)
        wholeContext = .object(members)
        return .object(members)
    }

    private mutating func member(_ name: String, of value: EntryValue) throws(ExceededLimit) -> EntryValue? {
        switch value {
        case .object(let members):
            try charge(text: name)
            return members[name]
        case .array(let elements):
            if name.hasSameScalars(as: "length") { return .integer(elements.count) }
            return Self.index(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        case .string(let text):
            try charge(text: text)
            if name.hasSameScalars(as: "length") { return .integer(text.unicodeScalars.count) }
            return Self.index(name).flatMap { text.unicodeScalars.dropFirst($0).first.map { .string(String($0)) } }
        default: return nil
        }
    }

    /// An index as it is written in one way only: `7`, but neither `07` nor `+7`.
    private static func index(_ name: String) -> Int? {
        guard let index = Int(name), index >= 0, String(index) == name else { return nil }
        return index
    }
}
