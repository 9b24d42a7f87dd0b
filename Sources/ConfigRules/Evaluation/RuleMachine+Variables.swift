// SPDX-License-Identifier: Apache-2.0

import ConfigModel

extension RuleMachine {
    /// What stands at a path; `nil` for nothing and for null.
    mutating func value(at path: [String], in scope: Scope) throws(TooManySteps) -> EntryValue? {
        var rest = path[...]
        var found: EntryValue
        switch scope {
        case .element(let element): found = element
        case .context:
            guard let name = rest.popFirst(), let attribute = attribute(name) else { return nil }
            found = attribute
        }
        for name in rest {
            try charge(1)
            guard let next = try member(name, of: found) else { return nil }
            found = next
        }
        return found == .null ? nil : found
    }

    /// `var`: an empty key is for all, a number for an element.
    mutating func variable(_ key: EntryValue, in scope: Scope) throws(TooManySteps) -> EntryValue? {
        switch key {
        case .null, .string(""): return whole(scope)
        case .boolean, .integer, .double:
            guard let index = Int(exactly: key.number) else { return nil }
            return try element(index, of: whole(scope)).flatMap { $0 == .null ? nil : $0 }
        default: return try value(at: RuleNode.components(of: try text(of: key)), in: scope)
        }
    }

    /// The keys of which nothing, or an empty text, is there.
    mutating func missing(_ keys: [EntryValue], in scope: Scope) throws(TooManySteps) -> [EntryValue] {
        var missing: [EntryValue] = []
        for key in keys {
            try charge(1)
            let found = try variable(key, in: scope)
            if found == nil || found == .string("") { missing.append(key) }
        }
        return missing
    }

    /// The keys that `missing` is asked for: its arguments, or the array that comes first.
    static func keys(_ values: [EntryValue]) -> [EntryValue] {
        if case .array(let keys)? = values.first { keys } else { values }
    }

    mutating func attribute(_ name: String) -> EntryValue? {
        switch name {
        case "targetingKey": context.targetingKey.map { .string($0) }
        case "$flagd": .object(EntryObject([("flagKey", .string(readFlag())), ("timestamp", .integer(timestamp))]))
        default: context.attributes[name]
        }
    }

    private mutating func whole(_ scope: Scope) -> EntryValue {
        switch scope {
        case .element(let element): return element
        case .context:
            var members = Array(context.attributes)
            for name in ["$flagd", "targetingKey"] { members.append((key: name, value: attribute(name) ?? .null)) }
            return .object(EntryObject(members))
        }
    }

    private mutating func member(_ name: String, of value: EntryValue) throws(TooManySteps) -> EntryValue? {
        switch value {
        case .object(let members): return members[name]
        case .array(let elements) where name == "length": return .integer(elements.count)
        case .string(let text) where name == "length":
            try charge(text: text)
            return .integer(text.unicodeScalars.count)
        case .array, .string:
            guard let index = Int(name), String(index) == name else { return nil }
            return try element(index, of: value)
        default: return nil
        }
    }

    private mutating func element(_ index: Int, of value: EntryValue) throws(TooManySteps) -> EntryValue? {
        switch value {
        case .array(let elements): return elements.indices.contains(index) ? elements[index] : nil
        case .string(let text):
            try charge(text: text)
            return index < 0 ? nil : text.unicodeScalars.dropFirst(index).first.map { .string(String($0)) }
        default: return nil
        }
    }
}
