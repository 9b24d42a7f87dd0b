// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// The targeting of a rule, ready to evaluate.
struct RuleProgram: Hashable, Sendable {
    /// What stands within a node comes before it, so that the last one is the whole.
    private(set) var nodes: [RuleNode] = []
    /// The arguments of all nodes, those of one after those of another.
    private(set) var arguments: [RuleNode.Index] = []
    private(set) var constants: [EntryValue] = []
    private(set) var names: [String] = []
    private(set) var paths: [[String]] = []
    private(set) var splits: [RuleSplit] = []
    private(set) var limits: [VersionLimit] = []

    /// A program that is finished: a copy of it counts one reference.
    final class Shared: Sendable {
        let program: RuleProgram

        init(_ program: RuleProgram) { self.program = program }
    }

    /// The nodes that are the arguments of one.
    func nodes(_ range: RuleNode.Arguments) -> [Int] {
        arguments[Int(range.lowerBound)..<Int(range.upperBound)].map { Int($0) }
    }

    /// What a node is whatever the context.
    func constant(_ node: Int) -> EntryValue? {
        if case .constant(let index) = nodes[node] { constants[Int(index)] } else { nil }
    }
}

// What a compiler adds.
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
        return .attribute(names.add(path[0]))
    }

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
