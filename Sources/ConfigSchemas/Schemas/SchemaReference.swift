// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// A `$ref` or `$dynamicRef` whose target is not yet known.
struct SchemaReference {
    let node: Int
    /// Its position among the keywords of its node.
    let keyword: Int
    let target: String
    let isDynamic: Bool
    let place: JSONPointer
}

/// A schema that a URI identifies: a whole document, or a part of one that has `$id`.
struct SchemaResource {
    let base: URIReference
    let root: Int
    var anchors: [ExactString: Anchor] = [:]

    /// A node that `$anchor` or `$dynamicAnchor` names.
    struct Anchor {
        let node: Int
        let isDynamic: Bool
    }
}

extension SchemaCompiler {
    mutating func resolveReferences() {
        // Schemas of the dialect that are referred to are read here, and refer to others.
        var position = 0
        while position < references.count {
            let reference = references[position]
            position += 1
            if let rule = rule(of: reference) {
                setRule(rule, of: reference.node, at: reference.keyword)
            } else {
                // It would lead to itself, and be found a second time as a circle.
                setRule(.all([]), of: reference.node, at: reference.keyword)
                let target = reference.target.excerpt(ofScalars: 80)
                let advice =
                    target.utf8.first == UInt8(ascii: "#")
                    ? "use # or #/$defs/NAME"
                    : "other documents are not loaded: copy the schema with its $id to $defs"
                addFault(at: reference.place, "unresolved reference '\(target)'; \(advice)")
            }
        }
        collectDynamicAnchors()
        checkCircles()
    }

    private mutating func rule(of reference: SchemaReference) -> SchemaRule? {
        let base = resources[nodes[reference.node].resource].base
        let target = URIReference(reference.target).resolved(against: base)
        guard let resource = resource(at: target.resource), let fragment = SchemaFragment(target.fragment ?? []) else {
            return nil
        }
        switch fragment {
        case .pointer(let tokens): return node(below: resources[resource].root, by: tokens).map { .reference($0) }
        case .anchor(let name):
            guard let anchor = resources[resource].anchors[name] else { return nil }
            return anchor.isDynamic && reference.isDynamic
                ? .dynamicReference(name, initially: anchor.node) : .reference(anchor.node)
        }
    }

    private func node(below root: Int, by tokens: [String]) -> Int? {
        var (node, rest) = (root, tokens[...])
        while let keyword = rest.popFirst() {
            guard let name = KeywordName(rawValue: keyword) else { return nil }
            var way = keyword
            if !name.hasOneSchema {
                guard let part = rest.popFirst() else { return nil }
                way += "/" + part
            }
            guard let next = child(of: node, by: way) else { return nil }
            node = next
        }
        return node
    }

    /// Refuses circles of schemas that check one and the same value, which would never end.
    private mutating func checkCircles() {
        let next = nodes.map { $0.nodesInPlace(dynamicAnchors) }
        let isAfterCircle = Self.leftOver(next)
        guard isAfterCircle.contains(true) else { return }
        var previous: [[Int]] = Array(repeating: [], count: nodes.count)
        for node in nodes.indices where isAfterCircle[node] {
            for other in next[node] { previous[other].append(node) }
        }
        let isInCircle = Self.leftOver(previous)
        for reference in references where isInCircle[reference.node] && isAfterCircle[reference.node] {
            addFault(at: reference.place, "infinite recursion: the reference refers to itself at the same value")
        }
    }

    /// Repeatedly removes nodes without predecessors.
    ///
    /// - Returns: for each node whether it is left: those in circles and their successors.
    private static func leftOver(_ next: [[Int]]) -> [Bool] {
        var arrows = Array(repeating: 0, count: next.count)
        for node in next.joined() { arrows[node] += 1 }
        var free = next.indices.filter { arrows[$0] == 0 }
        while let node = free.popLast() {
            for other in next[node] {
                arrows[other] -= 1
                if arrows[other] == 0 { free.append(other) }
            }
        }
        return arrows.map { $0 > 0 }
    }
}
