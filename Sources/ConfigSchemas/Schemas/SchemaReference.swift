// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// A `$ref` whose target is not yet known.
struct SchemaReference {
    let node: Int
    /// Its position among the keywords of its node.
    let keyword: Int
    let target: String
    let place: JSONPointer
}

extension SchemaCompiler {
    /// How many schemas a value may be led through by `$ref`, `allOf` and the like, without a step into the value.
    static let maximumChain = 64

    mutating func resolveReferences() {
        for reference in references {
            if let node = node(at: reference) {
                setRule(.reference(node), of: reference.node, at: reference.keyword)
            } else {
                // It would lead to itself, and be found a second time as a circle.
                setRule(.all([]), of: reference.node, at: reference.keyword)
                let target = reference.target.excerpt(ofScalars: 80)
                addFault(at: reference.place, "'\(target)' leads to no schema in this one; write # or #/$defs/NAME")
            }
        }
        checkChains()
    }

    private func node(at reference: SchemaReference) -> Int? {
        guard let tokens = JSONPointer.tokens(ofFragment: reference.target) else { return nil }
        var (node, rest) = (0, tokens[...])
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

    /// Refuses circles of schemas that check one and the same value, which would never end, and long chains of them.
    private mutating func checkChains() {
        let next = nodes.map(\.nodesInPlace)
        let (isAfterCircle, length) = Self.takenApart(next)
        if isAfterCircle.contains(true) {
            var previous: [[Int]] = Array(repeating: [], count: nodes.count)
            for node in nodes.indices where isAfterCircle[node] {
                for other in next[node] { previous[other].append(node) }
            }
            let isInCircle = Self.takenApart(previous).isLeft
            for reference in references where isInCircle[reference.node] && isAfterCircle[reference.node] {
                addFault(at: reference.place, "the reference is part of a circle without a step into the value")
            }
        }
        if let node = nodes.indices.first(where: { length[$0] > Self.maximumChain }) {
            let message = "more than \(Self.maximumChain) schemas lead here without a step into the value; refer less"
            addFault(at: nodes[node].place, message)
        }
    }

    /// Takes off the nodes that nothing leads to, one after another.
    ///
    /// - Returns: the nodes that are left, which are circles and what they lead to, and for each of the others how many
    ///   nodes the longest way to it has.
    private static func takenApart(_ next: [[Int]]) -> (isLeft: [Bool], length: [Int]) {
        var arrows = Array(repeating: 0, count: next.count)
        for node in next.joined() { arrows[node] += 1 }
        var free = next.indices.filter { arrows[$0] == 0 }
        var length = Array(repeating: 1, count: next.count)
        while let node = free.popLast() {
            for other in next[node] {
                length[other] = max(length[other], length[node] + 1)
                arrows[other] -= 1
                if arrows[other] == 0 { free.append(other) }
            }
        }
        let isLeft = arrows.map { $0 > 0 }
        return (isLeft, zip(length, isLeft).map { $1 ? 1 : $0 })
    }
}
