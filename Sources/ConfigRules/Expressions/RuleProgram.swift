// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// The targeting of a rule, ready to evaluate.
struct RuleProgram: Hashable, Sendable {
    /// The children of a node precede it, so that the last node is the root.
    private(set) var nodes: [RuleNode] = []
    /// The arguments of all nodes, those of one after those of another.
    private(set) var arguments: [RuleNode.Index] = []
    private(set) var constants: [EntryValue] = []
    private(set) var attributes: [RuleAttribute] = []
    /// The attributes as inputs.
    private(set) var inputs: [RuleInputs] = []
    private(set) var paths: [[String]] = []
    private(set) var splits: [RuleSplit] = []
    private(set) var limits: [VersionLimit] = []
    /// The shared evaluators that the program refers to.
    private(set) var references: [Shared] = []

    /// The node of the whole targeting; -1 without a targeting.
    var root: Int { nodes.count - 1 }

    /// The nodes that are the arguments of one.
    func nodes(_ range: RuleNode.Arguments) -> [Int] {
        arguments[Int(range.lowerBound)..<Int(range.upperBound)].map { Int($0) }
    }

    /// The value of a node that does not depend on the context.
    func constant(_ node: Int) -> EntryValue? {
        if case .constant(let index) = nodes[node] { constants[Int(index)] } else { nil }
    }
}

extension RuleProgram {
    /// A finished program with the places of its nodes, which costs one reference wherever it is used.
    final class Shared: Sendable {
        let program: RuleProgram
        /// When the result may change because time passes.
        let times: RuleTimes
        /// The results that are written out, each once.
        let results: [Result]
        private let places: [JSONPointer]
        private let prefix: String

        /// - Parameter prefix: The pointer to the part that the positions are relative to.
        init(_ program: RuleProgram, places: [JSONPointer], in prefix: String = "") {
            (self.program, self.places, self.prefix) = (program, places, prefix)
            times = RuleTimes(program)
            results = program.results
        }

        /// The place of a node as a JSON Pointer.
        func pointer(to node: Int) -> String { prefix + places[node].description }

        func place(of node: Int) -> JSONPointer { places[node] }
    }

    /// A value in place of a result.
    typealias Result = (value: EntryValue, node: Int)

    /// The results that are written out: each text once, and those of shared evaluators at the reference.
    private var results: [Result] {
        var (waiting, seen, known): ([Int], Set<Int>, Set<ExactString>) = (nodes.isEmpty ? [] : [root], [], [])
        var results: [Result] = []
        var evaluators: Set<ObjectIdentifier> = []
        func add(_ value: EntryValue, at node: Int) {
            if value == .null || !known.insert(ExactString(value.text)).inserted { return }
            results.append((value, node))
        }
        while let node = waiting.popLast() {
            guard seen.insert(node).inserted else { continue }
            switch nodes[node] {
            case .constant(let index): add(constants[Int(index)], at: node)
            case .condition(let range):
                let parts = nodes(range)
                waiting += parts.indices.filter { $0 % 2 == 1 || $0 == parts.count - 1 }.map { parts[$0] }
            case .all(let parts), .any(let parts): waiting += nodes(parts).suffix(1)
            case .reference(let index):
                let evaluator = references[Int(index)]
                guard evaluators.insert(ObjectIdentifier(evaluator)).inserted else { continue }
                for result in evaluator.results { add(result.value, at: node) }
            case .split(let index):
                for part in splits[Int(index)].parts {
                    switch part {
                    case .fixed(let variant, _): add(variant, at: node)
                    case .pair(let variant, _): waiting.append(variant)
                    case .computed: break
                    }
                }
            default: break
            }
        }
        return results
    }
}

extension RuleProgram.Shared: Hashable {
    /// Equal when they evaluate alike.
    static func == (left: RuleProgram.Shared, right: RuleProgram.Shared) -> Bool {
        left === right || left.program == right.program
    }

    /// Hashes what equality compares.
    func hash(into hasher: inout Hasher) { hasher.combine(program) }
}

// For the compiler.
extension RuleProgram {
    /// - Returns: the index of the node.
    mutating func add(_ node: RuleNode) -> Int { Int(nodes.add(node)) }

    mutating func add(arguments nodes: [Int]) -> RuleNode.Arguments {
        let start = RuleNode.Index(arguments.count)
        arguments += nodes.map { RuleNode.Index($0) }
        return start..<RuleNode.Index(arguments.count)
    }

    mutating func add(constant value: EntryValue) -> RuleNode { .constant(constants.add(value)) }

    /// `var` with a constant path.
    mutating func add(path: [String], otherwise: Int?) -> RuleNode {
        guard path.count == 1, otherwise == nil else {
            return .variable(path: paths.add(path), otherwise: otherwise.map { RuleNode.Index($0) })
        }
        inputs.append(RuleInputs(of: path[0]))
        return .attribute(attributes.add(RuleAttribute(path[0])))
    }

    /// `$ref` to an evaluator.
    mutating func add(reference evaluator: Shared) -> RuleNode { .reference(references.add(evaluator)) }

    mutating func add(_ split: RuleSplit) -> RuleNode { .split(splits.add(split)) }

    /// `sem_ver` with a constant version.
    mutating func add(_ version: Int, _ relation: VersionRelation, _ limit: VersionLimit) -> RuleNode {
        .version(RuleNode.Index(version), limit: limits.add(limit), relation)
    }
}

extension Array {
    /// - Returns: the index of the element.
    fileprivate mutating func add(_ element: Element) -> RuleNode.Index {
        append(element)
        return RuleNode.Index(count - 1)
    }
}
