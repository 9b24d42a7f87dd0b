// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// Compiles a schema to nodes, and collects its errors.
struct SchemaCompiler {
    private(set) var nodes: [SchemaNode] = []
    private(set) var faults: [SchemaFault] = []
    private(set) var references: [SchemaReference] = []
    private(set) var resources: [SchemaResource] = []
    private(set) var dynamicAnchors: DynamicAnchors = [:]
    private var resourceIndices: [ExactString: Int] = [:]
    /// Whether a schema of the dialect is being read, in which formats only annotate.
    private(set) var isReadingDialect = false
    private var children: [Child: Int] = [:]
    /// The number of steps in the patterns so far.
    var patternSteps = 0

    /// The maximum number of steps in all patterns of a schema, since a short one may have many.
    static let maximumPatternSteps = 50_000

    /// The maximum length of the URI in `$id`, in bytes, since each reference below it is resolved against it.
    static let maximumIDBytes = 1024

    /// A node by its way from the one around it, such as `properties/a`. Compared as bytes, unlike texts of Swift.
    private struct Child: Hashable {
        let parent: Int
        let way: [UInt8]
    }

    /// An error in the value of a keyword.
    struct Problem: Error {
        let message: String

        init(_ message: String) { self.message = message }
    }

    /// Reads a whole schema.
    mutating func read(_ schema: EntryValue) {
        addResource(URIReference(), root: 0)
        _ = node(of: schema, at: .root, in: 0)
        resolveReferences()
    }

    private mutating func addResource(_ base: URIReference, root: Int) {
        resourceIndices[ExactString(base.resource)] = resources.count
        resources.append(SchemaResource(base: base, root: root))
    }

    /// The resource with a URI, which may be one of the dialect's own.
    mutating func resource(at uri: String) -> Int? {
        if let index = resourceIndices[ExactString(uri)] { return index }
        guard let schema = Metaschema.schemas[ExactString(uri)] else { return nil }
        isReadingDialect = true
        _ = node(of: schema, at: .root, in: 0)
        isReadingDialect = false
        return resourceIndices[ExactString(uri)]
    }

    mutating func collectDynamicAnchors() {
        for (index, resource) in resources.enumerated() {
            for (name, anchor) in resource.anchors where anchor.isDynamic {
                dynamicAnchors[name, default: [:]][index] = anchor.node
            }
        }
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
    private mutating func node(of schema: EntryValue, at place: JSONPointer, in resource: Int) -> Int {
        let index = nodes.count
        var resource = resource
        if case .object(let members) = schema, let id = members[KeywordName.id.rawValue] {
            resource = beginResource(id, root: index, in: resource, at: place.appending(KeywordName.id.rawValue))
        }
        nodes.append(SchemaNode(place: place, resource: resource))
        switch schema {
        case .boolean(true): break
        case .boolean(false):
            nodes[index].keywords.append(SchemaKeyword(name: "", value: schema, rule: .nothing))
        case .object(let members): readKeywords(members, of: index)
        default: addFault(at: place, "a schema must be an object, true or false, not \(schema.kindName.withArticle)")
        }
        return index
    }

    /// Begins the resource that `$id` identifies.
    ///
    /// - Returns: its index; that of the one around it if there is something wrong with it.
    private mutating func beginResource(
        _ id: EntryValue,
        root: Int,
        in resource: Int,
        at place: JSONPointer
    ) -> Int {
        guard case .string(let text) = id else {
            addFault(at: place, "expected a string")
            return resource
        }
        let reference = URIReference(text)
        guard reference.fragment?.isEmpty ?? true else {
            addFault(at: place, "'$id' must not have a fragment; use '$anchor' instead")
            return resource
        }
        let base = reference.resolved(against: resources[resource].base)
        guard text.utf8.count <= Self.maximumIDBytes, base.resource.utf8.count <= Self.maximumIDBytes else {
            addFault(at: place, "the URI is longer than \(Self.maximumIDBytes) bytes")
            return resource
        }
        if let present = resourceIndices[ExactString(base.resource)], resources[present].root != root {
            addFault(at: place, "duplicate '$id'")
            return resource
        }
        addResource(base, root: root)
        return resources.count - 1
    }

    /// Gives a node an anchor name.
    mutating func addAnchor(_ name: String, isDynamic: Bool, to node: Int) throws(Problem) {
        let isAllowed =
            name.utf8.first.map { $0.isLetter || $0 == UInt8(ascii: "_") } == true
            && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0.isOne(of: "-._") }
        guard isAllowed else {
            throw Problem("invalid anchor; expected a letter or '_', followed by letters, digits, '-', '_' and '.'")
        }
        let resource = nodes[node].resource
        let present = resources[resource].anchors[ExactString(name)]
        guard present.map({ $0.node == node }) ?? true else { throw Problem("duplicate anchor") }
        let anchor = SchemaResource.Anchor(node: node, isDynamic: isDynamic || present?.isDynamic == true)
        resources[resource].anchors[ExactString(name)] = anchor
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
                if case .string(let target) = value, keyword == .reference || keyword == .dynamicReference {
                    let reference = SchemaReference(
                        node: index,
                        keyword: nodes[index].keywords.count - 1,
                        target: target,
                        isDynamic: keyword == .dynamicReference,
                        place: place
                    )
                    references.append(reference)
                }
            } catch {
                addFault(at: place, error.message)
            }
        }
    }

    private static func unknownKeyword(_ name: String) -> String {
        "unsupported keyword '\(name.excerpt(ofScalars: 60))'; correct or remove it"
    }

    /// The node of a keyword that has one schema.
    mutating func node(_ schema: EntryValue, below index: Int, _ keyword: KeywordName) -> Int {
        let node = node(
            of: schema,
            at: nodes[index].place.appending(keyword.rawValue),
            in: nodes[index].resource
        )
        children[Child(parent: index, way: Array(keyword.rawValue.utf8))] = node
        return node
    }

    /// The nodes of a keyword that has an array of schemas.
    mutating func nodes(_ schemas: EntryValue, below index: Int, _ keyword: KeywordName) throws(Problem) -> [Int] {
        guard case .array(let schemas) = schemas, !schemas.isEmpty else {
            throw Problem("'\(keyword.rawValue)' must be a non-empty array of schemas")
        }
        let (place, resource) = (nodes[index].place.appending(keyword.rawValue), nodes[index].resource)
        return schemas.enumerated().map { number, schema in
            let node = node(of: schema, at: place.appending(number), in: resource)
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
            throw Problem("'\(keyword.rawValue)' must be an object of schemas")
        }
        let (place, resource) = (nodes[index].place.appending(keyword.rawValue), nodes[index].resource)
        return schemas.map { name, schema in
            let node = node(of: schema, at: place.appending(name), in: resource)
            let way = "\(keyword.rawValue)/\(JSONPointer.token(name))"
            children[Child(parent: index, way: Array(way.utf8))] = node
            return (name: name, node: node)
        }
    }
}

/// The keywords that a schema may have.
enum KeywordName: String {
    case schema = "$schema"
    case vocabulary = "$vocabulary"
    case id = "$id"
    case anchor = "$anchor"
    case dynamicAnchor = "$dynamicAnchor"
    case reference = "$ref"
    case dynamicReference = "$dynamicRef"
    case definitions = "$defs"
    case comment = "$comment"
    case title, description, examples, deprecated, readOnly, writeOnly
    case contentEncoding, contentMediaType, contentSchema
    case defaultValue = "default"
    case type, const
    case enumeration = "enum"
    case multipleOf, minimum, exclusiveMinimum, maximum, exclusiveMaximum
    case minLength, maxLength, pattern, format
    case prefixItems, items, contains, minContains, maxContains, uniqueItems, minItems, maxItems, unevaluatedItems
    case properties, patternProperties, additionalProperties, unevaluatedProperties, propertyNames
    case required, dependentRequired, dependentSchemas, minProperties, maxProperties
    case allOf, anyOf, oneOf, not
    case condition = "if"
    case then
    case otherwise = "else"

    /// Whether the keyword's value is one schema, and not several.
    var hasOneSchema: Bool {
        switch self {
        case .items, .contains, .unevaluatedItems, .additionalProperties, .unevaluatedProperties, .propertyNames, .not,
            .condition, .then, .otherwise, .contentSchema:
            true
        default: false
        }
    }
}
