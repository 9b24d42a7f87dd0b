// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The JSON Schemas of definitions, as one document.
struct SchemaExport {
    private var schemas: [String: [EntryValue]] = [:]
    private var faults: [ConfigError] = []

    /// Adds the schema of a definition under each of its remote keys.
    mutating func add<Value>(_ definition: ConfigDefinition<Value>) {
        var keys: [String] = []
        for index in definition.links.indices {
            if let key = definition.links[index].remoteKey, !keys.contains(key) { keys.append(key) }
        }
        if keys.isEmpty { return }
        if let fault = definition.faultOfDefault { faults.append(fault) }
        let schema = definition.keywords.schema
        for key in keys {
            if let problem = KeyRule.problem(in: key) {
                faults.append(ConfigError(.invalidKey, "the key \(problem)", key: key))
            }
            // Requirements that two definitions share are written once.
            if schemas[key]?.contains(schema) != true { schemas[key, default: []].append(schema) }
        }
    }

    /// The document, with each member on a separate line, sorted by name.
    func document() throws(ConfigError) -> String {
        if let fault = faults.first { throw fault.standing(for: faults.count) }
        let members = schemas.map { key, schemas in
            (key: key, value: schemas.count == 1 ? schemas[0] : ["allOf": .array(schemas)])
        }
        let document: EntryValue = ["livery": 1, "schemas": .object(EntryObject(members))]
        return String(decoding: PrettyJSON.laidOut(Array(document.canonicalJSON.utf8)), as: UTF8.self)
    }
}

extension ConfigDefinition {
    /// The keywords of the JSON Schema of the values; see ``ConfigRepository/schemaDocument()``.
    fileprivate var keywords: SchemaKeywords {
        let converter = ValueConverter<Value>.named
        let json = converter?.json(of: defaultValue)
        let ofType = json.flatMap { converter?.form.shape.schema([$0]) } ?? [:]
        var keywords = limits.reduce(ofType) { $0.and($1.keywords()) }
        if let summary { keywords["description"] = .string(summary) }
        // Many people read the document, so it contains no secret.
        if !isSecret, json?.fits(ofType) == true { keywords["default"] = converter?.entryValue(of: defaultValue) }
        return keywords
    }

    /// The error because of which the default cannot be exported.
    fileprivate var faultOfDefault: ConfigError? {
        guard let problem = limits.lazy.compactMap({ $0.problem(with: defaultValue) }).first else { return nil }
        let reason = isSecret ? "" : ": \(problem)"
        return ConfigError(.typeMismatch, "the default of the definition violates its limits\(reason)", key: id)
    }
}
