// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// The schemas that the values of a namespace must match. As a document:
///
/// ```json
/// { "livery": 1, "schemas": {
///     "app.title": { "type": "string", "maxLength": 80 },
///     "app.colors.*": { "type": "string", "format": "color" } } }
/// ```
///
/// A schema is for one key, or for all keys that begin alike. A key's own schema comes before those of its beginnings, of
/// which the longest counts: `SchemaName`.
public struct SchemaSet: Sendable {
    /// The schemas by name, as in `SchemaName`.
    public var schemas: [String: ConfigSchema] = [:]
    /// The revisions of the schemas that come from a store.
    package var revisions: [String: UInt64] = [:]

    /// No schemas.
    public init() {}

    /// Whether there are none.
    public var isEmpty: Bool { schemas.isEmpty }

    /// The maximum size of a document: 8 MiB, as for any other.
    public static let maximumBytes = ConfigDocument.maximumBytes

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - json: the bytes of the document.
    ///   - source: its name in an error.
    ///   - limit: its maximum size, in bytes.
    /// - Throws: ``SchemaError`` with the errors of all schemas, each with its position as a JSON Pointer into the document.
    public init(json: [UInt8], source: String, atMost limit: Int = maximumBytes) throws(SchemaError) {
        let values: [(name: String, value: EntryValue, location: TextLocation?)]
        do throws(ConfigError) {
            values = try Self.members(of: json, atMost: limit)
        } catch {
            let message = [error.key, error.message].compactMap(\.self).joined(separator: ": ")
            throw SchemaError(
                faults: [SchemaFault(pointer: "", message: message, location: error.location)],
                source: source
            )
        }
        try self.init(values, source: source)
    }

    /// Reads schemas from values by schema name.
    ///
    /// - Throws: ``SchemaError`` with the errors of all schemas.
    public init(_ values: [String: EntryValue]) throws(SchemaError) {
        try self.init(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value, nil) }, source: nil)
    }

    private init(
        _ values: [(name: String, value: EntryValue, location: TextLocation?)],
        source: String?
    ) throws(SchemaError) {
        var faults: [SchemaFault] = []
        for (name, value, location) in values {
            let pointer = "/schemas/\(name)"
            if let problem = SchemaName.problem(in: name) {
                let place = pointer.excerpt(ofScalars: 200)
                faults.append(SchemaFault(pointer: place, message: "the key \(problem)", location: location))
                continue
            }
            do throws(SchemaError) {
                schemas[name] = try ConfigSchema(value)
            } catch {
                faults += error.faults.map { SchemaFault(pointer: pointer + $0.pointer, message: $0.message) }
            }
        }
        guard faults.isEmpty else {
            throw SchemaError(faults: Array(faults.prefix(SchemaError.maximumFaults)), source: source)
        }
    }

    private static func members(
        of json: [UInt8],
        atMost limit: Int
    ) throws(ConfigError) -> [(name: String, value: EntryValue, location: TextLocation?)] {
        var version: EntryValue?
        var schemas: [(name: String, value: EntryValue, location: TextLocation?)]?
        try JSONScanner.object(json, atMost: limit) { (name, scanner) throws(ConfigError) in
            switch name {
            case "livery": version = try scanner.anyValue()
            case "schemas":
                var members: [(name: String, value: EntryValue, location: TextLocation?)] = []
                try scanner.object { (name, scanner) throws(ConfigError) in
                    let location = scanner.location
                    members.append((name, try scanner.anyValue(), location))
                }
                schemas = members
            // Of an exact document, such as an export, the values and the rules do not matter here.
            case EntryKind.value.listName, EntryKind.rule.listName: try scanner.skipValue()
            default: throw scanner.unknownMember(name, known: ["livery"] + EntryKind.allCases.map(\.listName))
            }
        }
        guard version == 1, let schemas else {
            let form = #"{"livery": 1, "schemas": {"app.title": {"type": "string"}}}"#
            throw ConfigError(.syntax, "not a schema document; expected \(form)")
        }
        return schemas
    }

    /// The schema that a key's value must match; `nil` if there is none.
    ///
    /// - Returns: the name of the schema, and the schema.
    public func schema(forKey key: String) -> (name: String, schema: ConfigSchema)? {
        for name in SchemaName.candidates(forKey: key) {
            if let schema = schemas[name] { return (name, schema) }
        }
        return nil
    }

    /// The violations of values, in the order of their keys: no more than ``ConfigSchema/maximumViolations``.
    ///
    /// The work for all values together is bounded. Where it is used up, the next key with a schema has a violation that
    /// reports it, and the rest is not checked.
    public func violations(of values: some Sequence<(key: String, value: EntryValue)>) -> [KeyViolation] {
        var budget = SchemaBudget()
        var found: [KeyViolation] = []
        for (key, value) in values.sorted(by: { $0.key < $1.key }) where found.count < ConfigSchema.maximumViolations {
            found += violations(of: value, forKey: key, within: &budget)
        }
        return Array(found.prefix(ConfigSchema.maximumViolations))
    }

    /// The violations of a value that is one of several with a common budget.
    ///
    /// - Returns: one that reports it if this value uses the budget up, and none for those after it.
    package func violations(
        of value: EntryValue,
        forKey key: String,
        within budget: inout SchemaBudget
    ) -> [KeyViolation] {
        guard !budget.isUsedUp, let (name, schema) = schema(forKey: key) else { return [] }
        return budget.check(value, by: schema).map { KeyViolation(key: key, schema: name, violation: $0) }
    }

    /// The number of steps in the patterns of all schemas.
    package var patternSteps: Int { schemas.values.reduce(0) { $0 + $1.patternSteps } }

    /// The maximum number of steps in the patterns of a namespace's schemas together: some 8 MB.
    package static let maximumPatternSteps = 500_000

    /// About how many bytes of memory the schemas take.
    package var bytes: Int {
        schemas.values.reduce(0) { $0 + 10 * $1.value.canonicalByteCount + 16 * $1.patternSteps }
    }
}

/// The work that the checks of several values have in common.
package struct SchemaBudget: Sendable {
    private let limit: Int
    private var work = 0

    /// The work that one publish may take: some hundreds of milliseconds.
    package static let maximumWork = 100_000_000
    /// The work of a check that nothing else need wait for: about a millisecond.
    package static let briefWork = 200_000
    /// The work that one publish may take while the store waits for it.
    package static let remainingWork = 1_000_000

    package init(limit: Int = Self.maximumWork) { self.limit = limit }

    package var isUsedUp: Bool { work > limit }

    fileprivate mutating func check(_ value: EntryValue, by schema: ConfigSchema) -> [SchemaViolation] {
        let result = schema.check(value, withinWork: min(ConfigSchema.maximumWork, limit - work))
        // Finding the schema, which is always done.
        work += 100 + result.work
        return isUsedUp ? [.tooMuchWork(value, limit: limit, .publishTooCostly)] : result.violations
    }
}

extension ConfigSchema {
    /// The violations of a key's value, by the schema of this name.
    package func violations(of value: EntryValue, forKey key: String, name: String) -> [KeyViolation] {
        violations(of: value).map { KeyViolation(key: key, schema: name, violation: $0) }
    }
}

/// A schema violation of a key's value.
public struct KeyViolation: Hashable, Sendable {
    /// The key.
    public let key: String
    /// The name of the schema.
    public let schema: String
    /// The violation.
    public let violation: SchemaViolation

    /// The violation as a server reports it.
    public var message: ViolationMessage {
        ViolationMessage(
            key: key,
            schema: schema,
            pointer: violation.pointer,
            keywordPointer: violation.keywordPointer,
            limit: violation.limit,
            found: violation.found,
            message: violation.message
        )
    }
}
