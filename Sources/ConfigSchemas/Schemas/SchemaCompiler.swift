// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// Reads a schema into nodes, and collects what is wrong with it.
struct SchemaCompiler {
    private(set) var nodes: [SchemaNode] = []
    private(set) var faults: [SchemaFault] = []
    private(set) var references: [SchemaReference] = []
    private var children: [Child: Int] = [:]
    /// How many steps the patterns have so far.
    var patternSteps = 0

    /// The most steps of all patterns of a schema, since a short one may have many.
    static let maximumPatternSteps = 50_000

    /// A node by its way from the one around it, such as `properties/a`. Compared as bytes, unlike texts of Swift.
    private struct Child: Hashable {
        let parent: Int
        let way: [UInt8]
    }

    /// What is wrong with the value of a keyword.
    struct Problem: Error {
        let message: String

        init(_ message: String) { self.message = message }
    }

    /// Reads a whole schema.
    mutating func read(_ schema: EntryValue) {
        _ = node(of: schema, at: .root)
        resolveReferences()
    }

    mutating func addFault(at place: JSONPointer, _ message: String) {
        guard faults.count < SchemaError.maximumFaults else { return }
        faults.append(SchemaFault(pointer: place.description, message: message))
    }

    mutating func setRule(_ rule: SchemaRule, of node: Int, at position: Int) {
        nodes[node].keywords[position].rule = rule
    }

    /// The node that is reached from another by a keyword, and by a name or number below that if it has many.
    func child(of parent: Int, by way: String) -> Int? {
        children[Child(parent: parent, way: Array(way.utf8))]
    }

    // The recursion is bounded by the depth of the schema, which is that of a value.
    private mutating func node(of schema: EntryValue, at place: JSONPointer) -> Int {
        let index = nodes.count
        nodes.append(SchemaNode(place: place))
        switch schema {
        case .boolean(true): break
        case .boolean(false):
            nodes[index].keywords.append(SchemaKeyword(name: "", value: schema, rule: .nothing))
        case .object(let members): readKeywords(members, of: index)
        default: addFault(at: place, "a schema is an object, true or false, not \(schema.kindName.withArticle)")
        }
        return index
    }

    private mutating func readKeywords(_ members: EntryObject, of index: Int) {
        for (name, value) in members {
            let place = nodes[index].place.appending(name)
            guard let keyword = KeywordName(rawValue: name) else {
                addFault(at: place, Self.unknownKeyword(name))
                continue
            }
            do throws(Problem) {
                guard let rule = try rule(of: keyword, value, in: index, members) else { continue }
                nodes[index].keywords.append(SchemaKeyword(name: name, value: value, rule: rule))
                if case .string(let target) = value, keyword == .reference {
                    let keyword = nodes[index].keywords.count - 1
                    references.append(SchemaReference(node: index, keyword: keyword, target: target, place: place))
                }
            } catch {
                addFault(at: place, error.message)
            }
        }
    }

    private static func unknownKeyword(_ name: String) -> String {
        "'\(name.excerpt(ofScalars: 60))' is none of the keywords that Livery checks; remove it, or correct its spelling"
    }

    /// The node of a keyword that has one schema.
    mutating func node(_ schema: EntryValue, below index: Int, _ keyword: KeywordName) -> Int {
        let node = node(of: schema, at: nodes[index].place.appending(keyword.rawValue))
        children[Child(parent: index, way: Array(keyword.rawValue.utf8))] = node
        return node
    }

    /// The nodes of a keyword that has an array of schemas.
    mutating func nodes(_ schemas: EntryValue, below index: Int, _ keyword: KeywordName) throws(Problem) -> [Int] {
        guard case .array(let schemas) = schemas, !schemas.isEmpty else {
            throw Problem("'\(keyword.rawValue)' has an array of schemas, at least one")
        }
        let place = nodes[index].place.appending(keyword.rawValue)
        return schemas.enumerated().map { number, schema in
            let node = node(of: schema, at: place.appending(number))
            children[Child(parent: index, way: Array("\(keyword.rawValue)/\(number)".utf8))] = node
            return node
        }
    }

    /// The nodes of a keyword that has an object of schemas.
    mutating func namedNodes(
        _ schemas: EntryValue,
        below index: Int,
        _ keyword: KeywordName
    ) throws(Problem) -> [(name: String, node: Int)] {
        guard case .object(let schemas) = schemas else {
            throw Problem("'\(keyword.rawValue)' has an object of schemas")
        }
        let place = nodes[index].place.appending(keyword.rawValue)
        return schemas.map { name, schema in
            let node = node(of: schema, at: place.appending(name))
            let way = "\(keyword.rawValue)/\(JSONPointer.token(name))"
            children[Child(parent: index, way: Array(way.utf8))] = node
            return (name: name, node: node)
        }
    }
}

/// The keywords that a schema may have.
enum KeywordName: String {
    case schema = "$schema"
    case reference = "$ref"
    case definitions = "$defs"
    case comment = "$comment"
    case title, description, examples, deprecated
    case defaultValue = "default"
    case type, const
    case enumeration = "enum"
    case multipleOf, minimum, exclusiveMinimum, maximum, exclusiveMaximum
    case minLength, maxLength, pattern, format
    case prefixItems, items, contains, uniqueItems, minItems, maxItems
    case properties, patternProperties, additionalProperties, propertyNames, required, dependentRequired
    case minProperties, maxProperties
    case allOf, anyOf, oneOf, not
    case condition = "if"
    case then
    case otherwise = "else"

    /// Whether the keyword's value is one schema, and not several.
    var hasOneSchema: Bool {
        switch self {
        case .items, .contains, .additionalProperties, .propertyNames, .not, .condition, .then, .otherwise: true
        default: false
        }
    }
}
