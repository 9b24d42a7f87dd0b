// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// When the result of a program may change in an unchanged context, because time passes (`$flagd.timestamp`).
struct RuleTimes: Sendable {
    /// The constants that the time is compared with, rounded down and sorted: a comparison changes at that second or at the
    /// next one.
    private var limits: [Int] = []
    /// Whether the time is used otherwise as well, such as in arithmetic.
    private var isIrregular = false
    /// The shared evaluators that use the time.
    private var evaluators: [RuleProgram.Shared] = []

    /// The interval at which the result may change if the time is used in another way than in a comparison, in seconds.
    private static let period = 10

    /// The first second after a time at which the result may change; `nil` if it never does.
    func nextChange(after timestamp: Int) -> Int? {
        var next = limits.first { $0 >= timestamp }.map { max($0, timestamp + 1) } ?? .max
        if isIrregular { next = min(next, timestamp + Self.period) }
        for evaluator in evaluators { next = min(next, evaluator.times.nextChange(after: timestamp) ?? .max) }
        return next == .max ? nil : next
    }

    /// Collects the uses of the time in a program whose scope is the context. Within `map` and similar operators, `var` refers
    /// to the element.
    init(_ program: RuleProgram) {
        // Most programs have no such part, in whatever scope.
        guard program.mayReadTime else { return }
        var waiting = [program.root]
        var references: Set<RuleNode.Index> = []
        while let node = waiting.popLast() {
            switch program.nodes[node] {
            case .constant: continue
            case .attribute(let index):
                if program.attributes[Int(index)] == .flag { isIrregular = true }
            case .variable(_, let otherwise):
                if program.isFlag(node) || program.isTimestamp(node) { isIrregular = true }
                if let otherwise { waiting.append(Int(otherwise)) }
            case .comparison(_, let parts), .operation(.equal, let parts), .operation(.unequal, let parts),
                .operation(.identical, let parts), .operation(.different, let parts):
                let operands = program.nodes(parts)
                for (left, right) in zip(operands, operands.dropFirst()) { add(left, comparedWith: right, in: program) }
                waiting += operands.filter { !program.isTimestamp($0) }
            case .iteration(_, let parts):
                // All but the body: the array, and the initial value of `reduce`.
                let operands = program.nodes(parts)
                waiting += [operands[0]] + operands.dropFirst(2)
            case .split(let index): waiting += program.splits[Int(index)].nodes
            case .version(let version, _, _): waiting.append(Int(version))
            case .reference(let index):
                let evaluator = program.references[Int(index)]
                if evaluator.readsTime, references.insert(index).inserted { evaluators.append(evaluator) }
            case .operation(.variable, let parts):
                let operands = program.nodes(parts)
                // The whole context, or a name that is only known at evaluation.
                let name: EntryValue? = if let first = operands.first { program.constant(first) } else { .null }
                if name == nil || name == .null || name == .string("") { isIrregular = true }
                waiting += operands
            case .list(let parts), .condition(let parts), .all(let parts), .any(let parts), .operation(_, let parts):
                waiting += program.nodes(parts)
            }
        }
        limits = Set(limits).sorted()
    }

    private mutating func add(_ left: Int, comparedWith right: Int, in program: RuleProgram) {
        guard program.isTimestamp(left) != program.isTimestamp(right) else { return }
        guard let constant = program.constant(program.isTimestamp(left) ? right : left) else {
            return isIrregular = true
        }
        // No time comes near a larger number.
        let limit = constant.number.rounded(.down)
        if abs(limit) < 0x1p53 { limits.append(Int(limit)) }
    }
}

extension RuleProgram.Shared {
    /// Whether the result may change because time passes.
    var readsTime: Bool { times.nextChange(after: .min) != nil }
}

extension RuleProgram {
    /// Whether there is any part that may use the time, be it in the scope of an element.
    fileprivate var mayReadTime: Bool {
        attributes.contains(.flag) || paths.contains { RuleAttribute($0[0]) == .flag }
            || references.contains(where: \.readsTime)
            || nodes.contains { if case .operation(.variable, _) = $0 { true } else { false } }
    }

    /// The names below `$flagd` that a node reads, none for all of it; `nil` if it reads something else.
    private func namesBelowFlag(_ node: Int) -> ArraySlice<String>? {
        guard case .variable(let path, _) = nodes[node] else { return nil }
        let names = paths[Int(path)]
        return RuleAttribute(names[0]) == .flag ? names.dropFirst() : nil
    }

    fileprivate func isFlag(_ node: Int) -> Bool { namesBelowFlag(node)?.isEmpty ?? false }

    fileprivate func isTimestamp(_ node: Int) -> Bool {
        namesBelowFlag(node)?.elementsEqual(["timestamp"]) { $0.hasSameScalars(as: $1) } ?? false
    }
}

extension RuleSplit {
    /// The nodes that are evaluated.
    fileprivate var nodes: [Int] {
        let parts = parts.flatMap { (part) -> [Int] in
            switch part {
            case .fixed: []
            case .pair(let variant, let weight): [variant] + (weight.map { [$0] } ?? [])
            case .computed(let node): [node]
            }
        }
        return (bucketBy.map { [$0] } ?? []) + parts
    }
}
