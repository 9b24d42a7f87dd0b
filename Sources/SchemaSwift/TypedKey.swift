// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// A definition of one key, as far as both Swift and JSON Schema express it.
package struct TypedKey: Hashable, Sendable {
    /// A type of values without parts.
    package enum Scalar: String, CaseIterable, Sendable {
        case boolean = "Bool"
        case integer = "Int"
        case number = "Double"
        case string = "String"
        case color = "RGBColor"
    }

    /// How a value is made of scalars.
    package enum Form: CaseIterable, Sendable {
        case plain, optional, array
    }

    /// The limits of a scalar.
    package struct Limits: Hashable, Sendable {
        /// The bounds of numbers.
        package var lowest: EntryValue?
        package var highest: EntryValue?
        /// The bounds of the length of texts.
        package var shortest: Int?
        package var longest: Int?
        /// Regular expressions that texts match.
        package var patterns: [String] = []
        /// The only values; empty for any.
        package var options: [EntryValue] = []
        /// The names of the options; empty if they have none.
        package var optionNames: [String] = []

        package init() {}
    }

    package var scalar: Scalar
    package var form: Form
    package var defaultValue: EntryValue
    package var summary: String?
    package var limits = Limits()
    /// The bounds of the number of elements.
    package var fewest: Int?
    package var most: Int?

    package init(_ scalar: Scalar, _ form: Form = .plain, default defaultValue: EntryValue) {
        (self.scalar, self.form, self.defaultValue) = (scalar, form, defaultValue)
    }
}

// To JSON Schema, with the members that `ConfigRepository.schemaDocument()` writes.
extension TypedKey {
    package var schema: EntryValue {
        var members = scalarMembers
        switch form {
        case .plain: break
        case .optional:
            if let type = members["type"] { members["type"] = [type, "null"] }
        case .array:
            members = ["type": "array", "items": .object(EntryObject(members.map { ($0, $1) }))]
            members["minItems"] = fewest.map { .integer($0) }
            members["maxItems"] = most.map { .integer($0) }
        }
        members["description"] = summary.map { .string($0) }
        members["default"] = defaultValue
        return .object(EntryObject(members.map { ($0, $1) }))
    }

    private var scalarMembers: [String: EntryValue] {
        var members: [String: EntryValue] = [:]
        switch scalar {
        case .boolean: members["type"] = "boolean"
        case .integer:
            members["type"] = "integer"
            members["minimum"] = limits.lowest ?? .integer(-EntryValue.maximumInteger)
            members["maximum"] = limits.highest ?? .integer(EntryValue.maximumInteger)
        case .number:
            members["type"] = "number"
            members["minimum"] = limits.lowest
            members["maximum"] = limits.highest
        case .string:
            members["type"] = "string"
            members["minLength"] = limits.shortest.map { .integer($0) }
            members["maxLength"] = limits.longest.map { .integer($0) }
            members["pattern"] = limits.patterns.first.map { .string($0) }
            let others = limits.patterns.dropFirst().map { ["pattern": .string($0)] as EntryValue }
            if !others.isEmpty { members["allOf"] = .array(others) }
        case .color:
            members["type"] = "string"
            members["format"] = "color"
        }
        if limits.optionNames.isEmpty {
            if !limits.options.isEmpty { members["enum"] = .array(limits.options) }
        } else {
            members["anyOf"] = .array(
                zip(limits.options, limits.optionNames).map { ["const": $0, "title": .string($1)] }
            )
        }
        return members
    }
}

// From JSON Schema.
extension TypedKey {
    /// Reads a schema.
    ///
    /// - Throws: `rejected` with the members that a definition in Swift cannot express.
    package init(_ schema: EntryValue) throws(ConfigError) {
        guard case .object(let members) = schema else { throw Self.inexpressible("a schema without members") }
        let array = members["type"] == "array" ? members["items"] : nil
        guard case .object(let scalars) = array ?? schema, let (scalar, isOptional) = Scalar.read(scalars),
            !(array != nil && isOptional)
        else { throw Self.inexpressible("its type") }
        guard let value = members["default"] else { throw Self.inexpressible("a schema without a default") }
        self.init(scalar, array != nil ? .array : isOptional ? .optional : .plain, default: value)
        summary = members["description"].flatMap { String(configValue: $0) }
        (fewest, most) = (members.integer("minItems"), members.integer("maxItems"))
        limits = Limits(scalars, of: scalar)
        let lost = Self.difference(between: schema, and: self.schema, whereInteger: scalar == .integer)
        if !lost.isEmpty { throw Self.inexpressible(lost.joined(separator: ", ")) }
        for (name, bound) in [("minimum", limits.lowest), ("maximum", limits.highest)] {
            if let bound, !scalar.holds(bound) { throw Self.inexpressible(name) }
        }
        if let contradiction { throw ConfigError(.rejected, contradiction) }
        guard isTyped(value) else { throw Self.inexpressible("its default") }
    }

    /// Two limits that no value satisfies; as a range they would trap in Swift.
    private var contradiction: String? {
        let bounds: [(lower: String, EntryValue?, upper: String, EntryValue?)] = [
            ("minimum", limits.lowest, "maximum", limits.highest),
            ("minLength", limits.shortest.map { .integer($0) }, "maxLength", limits.longest.map { .integer($0) }),
            ("minItems", fewest.map { .integer($0) }, "maxItems", most.map { .integer($0) }),
        ]
        for (lower, least, upper, greatest) in bounds {
            if let least, let greatest, let low = Double(configValue: least), let high = Double(configValue: greatest),
                low > high
            {
                return "\(lower) \(least.canonicalJSON) is greater than \(upper) \(greatest.canonicalJSON)"
            }
        }
        return nil
    }

    private static func inexpressible(_ what: String) -> ConfigError {
        ConfigError(.rejected, "a definition in Swift cannot express \(what)")
    }

    /// The members that one of two schemas has and the other has not, or has with another value.
    private static func difference(between schema: EntryValue, and other: EntryValue, whereInteger: Bool) -> [String] {
        guard case .object(let members) = schema, case .object(let others) = other else { return ["its type"] }
        let names = Set((members.map(\.key) + others.map(\.key)).map { ExactString($0) })
        return names.sorted().flatMap { name -> [String] in
            let (own, other) = (members[name.string], others[name.string])
            if own == other { return [] }
            // Each integer of a configuration is within these.
            if own == nil, whereInteger, ["minimum", "maximum"].contains(name.string) { return [] }
            if name == "items", let own, let other {
                return difference(between: own, and: other, whereInteger: whereInteger).map { "items/\($0)" }
            }
            return [name.string]
        }
    }

    private func isTyped(_ value: EntryValue) -> Bool {
        switch (form, value) {
        case (.optional, .null): true
        case (.array, .array(let elements)): elements.allSatisfy(scalar.holds)
        case (.array, _): false
        default: scalar.holds(value)
        }
    }
}

extension TypedKey.Scalar {
    fileprivate static func read(_ members: EntryObject) -> (TypedKey.Scalar, isOptional: Bool)? {
        var (type, isOptional) = (members["type"], false)
        if case .array(let types)? = type, types.count == 2, types[1] == "null" {
            (type, isOptional) = (types[0], true)
        }
        switch type {
        case "boolean": return (.boolean, isOptional)
        case "integer": return (.integer, isOptional)
        case "number": return (.number, isOptional)
        case "string": return (members["format"] == "color" ? .color : .string, isOptional)
        default: return nil
        }
    }

    /// Whether a value has this type, in the form in which Swift writes it back.
    fileprivate func holds(_ value: EntryValue) -> Bool {
        switch (self, value) {
        case (.boolean, .boolean), (.integer, .integer), (.number, .integer), (.number, .double), (.string, .string):
            true
        case (.color, .string(let text)): RGBColor(text)?.description == text
        default: false
        }
    }
}

extension TypedKey.Limits {
    fileprivate init(_ members: EntryObject, of scalar: TypedKey.Scalar) {
        lowest = members["minimum"]
        highest = members["maximum"]
        if scalar == .integer, lowest == .integer(-EntryValue.maximumInteger) { lowest = nil }
        if scalar == .integer, highest == .integer(EntryValue.maximumInteger) { highest = nil }
        (shortest, longest) = (members.integer("minLength"), members.integer("maxLength"))
        patterns = members["pattern"].flatMap { String(configValue: $0) }.map { [$0] } ?? []
        if case .array(let others)? = members["allOf"] {
            for case .object(let other) in others {
                if let pattern = other["pattern"].flatMap({ String(configValue: $0) }) { patterns.append(pattern) }
            }
        }
        // The options of colours are not in their schema, since a colour has several spellings.
        if scalar == .color || scalar == .boolean { return }
        if case .array(let values)? = members["enum"] { options = values.filter(scalar.holds) }
        if case .array(let branches)? = members["anyOf"] {
            for case .object(let branch) in branches {
                guard let value = branch["const"], let name = branch["title"].flatMap({ String(configValue: $0) }),
                    scalar.holds(value)
                else { continue }
                options.append(value)
                optionNames.append(name)
            }
        }
    }
}

extension EntryObject {
    fileprivate func integer(_ name: String) -> Int? { self[name].flatMap { Int(configValue: $0) } }
}
