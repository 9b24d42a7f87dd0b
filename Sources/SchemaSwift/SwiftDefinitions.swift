// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import ConfigSchemas

/// Definitions in Swift for a document of schemas.
package struct SwiftDefinitions {
    /// The text of the file.
    package let text: String
    /// Why schemas have no definition, by their keys or patterns: a pattern is not a key, and Swift cannot express
    /// every keyword.
    package let problems: [ConfigError]
    private let declarations: [(key: String, text: String)]

    /// - Parameters:
    ///   - schemas: the schemas by what they are for.
    ///   - type: the name of the type whose static members the definitions are.
    ///   - isPublic: whether other modules can use them.
    package init(_ schemas: [String: EntryValue], in type: String = "ConfigKeys", isPublic: Bool = false) {
        let access = isPublic ? "public " : ""
        var (problems, declarations): ([ConfigError], [(key: String, text: String)]) = ([], [])
        let names = Dictionary(grouping: schemas.keys.sorted(), by: SwiftText.name)
        for (key, schema) in schemas.sorted(by: { $0.key < $1.key }) {
            do throws(ConfigError) {
                if KeyRule.problem(in: key) != nil {
                    throw ConfigError(.rejected, "a definition requires a single key, not a pattern")
                }
                let name = try Self.name(of: key, among: names)
                declarations.append((key, try TypedKey(schema).declaration(name, of: key, access: access)))
            } catch {
                problems.append(error.naming(key: key))
            }
        }
        // A key may have the name of the parameter.
        let additions = declarations.map { "        repository.add(Self.\(SwiftText.name(ofKey: $0.key)))\n" }.joined()
        text = """
            // Written by `livery schema swift`, from JSON Schemas. Do not edit.

            \(access)import ConfigDefinitions
            \(access)import ConfigModel

            /// The keys of the configuration, with their types, limits and defaults.
            \(access)enum \(type) {
            \(declarations.map(\.text).joined(separator: "\n"))
                /// Adds the definitions of all keys.
                \(access)static func add(to repository: ConfigRepository) {
            \(additions)    }
            }

            """
        (self.problems, self.declarations) = (problems, declarations)
    }

    /// The name of the member for a key.
    ///
    /// - Parameter names: All keys by their names.
    /// - Throws: If it is not the name of this key alone: no key takes over the name of another one.
    private static func name(of key: String, among names: [String: [String]]) throws(ConfigError) -> String {
        let name = SwiftText.name(ofKey: key)
        if name == "_" { throw ConfigError(.rejected, "the key has no letter or digit for a Swift name") }
        if name == "add" {
            throw ConfigError(.rejected, "the Swift name 'add' is that of a function of the generated type")
        }
        let others = names[name, default: []].filter { $0 != key && KeyRule.problem(in: $0) == nil }
        if others.isEmpty { return name }
        let list = others.map { "'\($0)'" }.joined(separator: " and ")
        throw ConfigError(.duplicateKey, "the Swift name '\(name)' is also that of \(list); rename one of the keys")
    }

    /// Reads a document of schemas, as `livery export`, `livery definitions` and `ConfigRepository.schemaDocument()` write one.
    ///
    /// - Throws: a `SchemaError` with all errors in the schemas.
    package init(json: [UInt8], source: String, in type: String = "ConfigKeys", isPublic: Bool = false) throws {
        let schemas = try SchemaSet(json: json, source: source).schemas.mapValues(\.value)
        self.init(schemas, in: type, isPublic: isPublic)
    }

    /// Reads a document of schemas, for a type of the name and the access that a file of Swift has.
    package init(json: [UInt8], source: String, like file: String) throws {
        let found = file.firstMatch(of: /\n(public )?enum (\w+) \{\n/)
        let type = found.map { String($0.output.2) } ?? "ConfigKeys"
        try self.init(json: json, source: source, in: type, isPublic: found?.output.1 != nil)
    }

    /// The keys whose definitions differ in a file or are missing there, and the keys that only the file has.
    package func staleKeys(in file: String) -> [String] {
        if file == text { return [] }
        let here = Set(declarations.map(\.key))
        let there = file.matches(of: /ConfigDefinition<[^>]*>\("((?:[^"\\]|\\.)*)"/).map { String($0.output.1) }
        let changed = declarations.filter { !file.contains($0.text + "\n") }.map(\.key)
        return (changed + there.filter { !here.contains($0) }).sorted()
    }
}
