internal import ConfigModel

/// The schemas that the values of a namespace's keys have to keep, as one document.
///
/// ```json
/// { "livery": 1, "schemas": {
///     "app.title": { "type": "string", "maxLength": 80 },
///     "app.colors.*": { "type": "string", "format": "color" } } }
/// ```
///
/// A schema is for one key, or for all keys that begin with what comes before its `*`. A key's own schema comes before
/// those of its beginnings, of which the longest counts.
public struct SchemaDocument: Sendable {
    /// The schemas by what they are for: a key, or the beginning of keys with `*` behind it.
    public private(set) var schemas: [String: ConfigSchema] = [:]

    /// The most bytes of a document: 8 MiB, as of any other.
    public static let maximumBytes = ConfigDocument.maximumBytes

    /// Reads a document.
    ///
    /// - Parameter source: its name in an error.
    /// - Throws: ``SchemaError`` with the mistakes in all schemas, each with its place as a JSON Pointer into the document.
    public init(json: [UInt8], source: String) throws(SchemaError) {
        var values: [(name: String, value: EntryValue, location: TextLocation)] = []
        do throws(ConfigError) {
            values = try Self.members(of: json)
        } catch {
            let message = [error.key, error.message].compactMap(\.self).joined(separator: ": ")
            throw SchemaError(
                faults: [SchemaFault(pointer: "", message: message, location: error.location)],
                source: source
            )
        }
        var faults: [SchemaFault] = []
        for (name, value, location) in values {
            let pointer = "/schemas/\(name)"
            if let problem = Self.problem(inName: name) {
                faults.append(
                    SchemaFault(pointer: pointer.excerpt(ofScalars: 200), message: problem, location: location)
                )
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
        of json: [UInt8]
    ) throws(ConfigError) -> [(name: String, value: EntryValue, location: TextLocation)] {
        var version: EntryValue?
        var schemas: [(name: String, value: EntryValue, location: TextLocation)]?
        try JSONScanner.object(json, atMost: maximumBytes) { (name, scanner) throws(ConfigError) in
            switch name {
            case "livery": version = try scanner.anyValue()
            case "schemas":
                var members: [(name: String, value: EntryValue, location: TextLocation)] = []
                try scanner.object { (name, scanner) throws(ConfigError) in
                    let location = scanner.location
                    members.append((name, try scanner.anyValue(), location))
                }
                schemas = members
            default: throw scanner.unknownMember(name, known: ["livery", "schemas"])
            }
        }
        guard version == 1, let schemas else {
            let form = #"{"livery": 1, "schemas": {"app.title": {"type": "string"}}}"#
            throw ConfigError(.syntax, "this is not a document of schemas, such as \(form)")
        }
        return schemas
    }

    /// What is wrong with the name of a schema.
    private static func problem(inName name: String) -> String? {
        if name == "*" { return nil }
        let key = name.hasSuffix(".*") ? String(name.dropLast(2)) : name
        return KeyRule.problem(in: key).map {
            "the key \($0); a schema is for a key, or for a beginning such as 'app.*'"
        }
    }

    /// The schema that a key's value has to keep; `nil` if there is none.
    ///
    /// - Returns: what it is for, and the schema.
    public func schema(forKey key: String) -> (name: String, schema: ConfigSchema)? {
        if let schema = schemas[key] { return (key, schema) }
        var segments = key.split(separator: ".").dropLast()
        while !segments.isEmpty {
            let name = segments.joined(separator: ".") + ".*"
            if let schema = schemas[name] { return (name, schema) }
            segments = segments.dropLast()
        }
        return schemas["*"].map { ("*", $0) }
    }
}
