import ConfigModel
import ConfigSchemas

/// What commands say of schemas, and read from them.
enum SchemaWords {
    /// A few words for a list: `string (color): The colour of the sky`.
    static func summary(of schema: EntryValue) -> String {
        guard case .object(let members) = schema else { return schema == false ? "nothing" : "anything" }
        let words = ["title", "description"].lazy.compactMap { String(configValue: members[$0] ?? .null) }.first
        return [kinds(members), words?.excerpt(ofScalars: 100)].compactMap(\.self).joined(separator: ": ")
    }

    private static func kinds(_ members: EntryObject) -> String {
        var text = "any type"
        switch members["type"] {
        case .string(let type): text = type
        case .array(let types): text = types.compactMap { String(configValue: $0) }.joined(separator: " or ")
        default:
            if let constant = members["const"] { text = constant.canonicalJSON.excerpt(ofScalars: 60) }
            if case .array(let values) = members["enum"] { text = "one of \(values.count.grouped)" }
        }
        return String(configValue: members["format"] ?? .null).map { "\(text) (\($0))" } ?? text
    }

    /// Whether a value that keeps the schema is a string, as far as its own keywords and those of its `allOf` say.
    static func allowsOnlyStrings(_ schema: EntryValue) -> Bool {
        guard case .object(let members) = schema else { return false }
        if members["type"] == "string" || members["type"] == ["string"] { return true }
        if case .string = members["const"] { return true }
        if case .array(let values) = members["enum"] {
            return values.allSatisfy { if case .string = $0 { true } else { false } }
        }
        // The depth of a value is bounded.
        guard case .array(let parts) = members["allOf"] else { return false }
        return parts.contains(where: allowsOnlyStrings)
    }

    /// - Parameter name: what a schema is for.
    static func check(name: String) throws(ConfigError) {
        guard let problem = SchemaName.problem(in: name) else { return }
        throw ConfigError(.invalidKey, "the key \(problem)", key: name.excerpt(ofScalars: KeyRule.maximumLength))
    }
}
