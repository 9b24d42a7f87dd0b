// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// A JSON Schema of the dialect 2020-12, ready to check values by.
///
/// ```swift
/// let schema = try ConfigSchema(json: Array(#"{"type": "string", "format": "color"}"#.utf8))
/// for violation in schema.violations(of: "pink") { print(violation) }
/// // "pink" is not a colour such as #FFB6C1
/// ```
///
/// All keywords of the dialect are supported, and `format` asserts. A schema is refused if it cannot be checked in full: if it
/// has a keyword that the dialect does not have, a format that ``ValueFormat`` does not have, or a reference to another
/// document, unless that is one of the dialect's own schemas. `Documentation/Schemas.md` has the list.
///
/// Numbers are compared by their decimal notation: `1.0` is an integer, and 0.3 is a multiple of 0.1. Lengths are counted in
/// Unicode scalars. Values are compared as `EntryValue` compares them. Patterns are those of `TextPattern`.
public struct ConfigSchema: Sendable {
    /// The schema as it was read: an object, or `true` or `false`.
    public let value: EntryValue

    private let program: SchemaProgram
    /// The number of steps in the patterns, which take most of a schema's memory.
    let patternSteps: Int

    /// The maximum number of violations reported per value: 100.
    public static let maximumViolations = 100

    /// The maximum work for checking a value. A pattern's step at a character costs 1, a keyword applied to a part of the value
    /// 8, and a byte of a string whose format is checked 8.
    static let maximumWork = 4_000_000

    /// Reads a schema from JSON.
    ///
    /// - Parameters:
    ///   - json: the bytes of the schema.
    ///   - source: its name in the error, such as that of a file.
    /// - Throws: ``SchemaError`` with all errors: invalid JSON, unknown keywords, references that lead nowhere or in a circle,
    ///   more than 65,535 bytes or 32 levels, patterns of more than 50,000 steps together.
    public init(json: [UInt8], source: String? = nil) throws(SchemaError) {
        let value: EntryValue
        do throws(ConfigError) {
            value = try EntryValue(json: json)
        } catch {
            let fault = SchemaFault(pointer: "", message: error.message, location: error.location)
            throw SchemaError(faults: [fault], source: source)
        }
        do throws(SchemaError) {
            try self.init(value)
        } catch {
            throw SchemaError(faults: error.faults, source: source)
        }
    }

    /// Reads a schema from a value, which was read within the limits of values.
    ///
    /// - Throws: ``SchemaError`` with all errors.
    public init(_ value: EntryValue) throws(SchemaError) {
        var compiler = SchemaCompiler()
        compiler.read(value)
        guard compiler.faults.isEmpty else { throw SchemaError(faults: compiler.faults) }
        program = SchemaProgram(nodes: compiler.nodes, dynamicAnchors: compiler.dynamicAnchors)
        (self.value, patternSteps) = (value, compiler.patternSteps)
    }

    /// The schema as canonical JSON by RFC 8785.
    public var canonicalJSON: String { value.canonicalJSON }

    /// The violations of a value; empty if it is valid.
    ///
    /// A value that takes too much work to check has one violation with that message.
    public func violations(of value: EntryValue) -> [SchemaViolation] { check(value).violations }

    /// The violations and the work.
    func check(_ value: EntryValue, withinWork limit: Int = maximumWork) -> (violations: [SchemaViolation], work: Int) {
        var checker = SchemaChecker(program, maximumWork: limit)
        let violations = checker.violations(of: value)
        return (violations, checker.work)
    }
}

extension ConfigSchema: Hashable {
    /// Equal when their canonical JSON is the same.
    public static func == (left: ConfigSchema, right: ConfigSchema) -> Bool { left.value == right.value }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
