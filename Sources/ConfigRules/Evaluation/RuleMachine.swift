// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// Evaluates the targeting of a rule by JsonLogic as implemented by flagd. Unexpected input yields null or false, never an
/// error.
struct RuleMachine {
    /// The value that `var` reads from: the context, or an element within `map` and similar operators.
    enum Scope {
        case context
        case element(EntryValue)
    }

    /// Each list is read from here: a copy of the program would count a reference for each of them.
    private(set) var shared: RuleProgram.Shared
    let bucketing: RuleBucketing
    private let flag: String
    let context: EvaluationContext
    /// Seconds since 1970.
    let timestamp: Int

    /// The steps so far, and the maximum.
    var steps = 0
    let limit: Int
    /// The size of the arrays, objects and texts that were built so far.
    var builtBytes = 0
    /// The context as one object, once a rule has used it.
    var wholeContext: EntryValue?
    /// Whether the result so far would be another for another key.
    private(set) var hasReadFlag = false
    /// The attributes that were read so far.
    var inputs = RuleInputs.none
    /// The number of the part of the last split that divides users by the targeting key into fixed parts.
    var part: Int?
    /// The decisions on the way, if they are recorded.
    var decisions: RuleDecisions?

    init(
        _ shared: RuleProgram.Shared,
        _ bucketing: RuleBucketing,
        flag: String,
        in context: EvaluationContext,
        at timestamp: Int,
        limit: Int
    ) {
        (self.shared, self.bucketing, self.flag) = (shared, bucketing, flag)
        (self.context, self.timestamp, self.limit) = (context, timestamp, limit)
    }

    /// The key of the flag.
    mutating func readFlag() -> String {
        hasReadFlag = true
        return flag
    }

    // The recursion is bounded by the depth of the rule.
    mutating func value(of node: Int, in scope: Scope) throws(ExceededLimit) -> EntryValue {
        try charge(1)
        switch shared.program.nodes[node] {
        case .constant(let index): return shared.program.constants[Int(index)]
        case .attribute(let index):
            let attribute = shared.program.attributes[Int(index)]
            guard case .context = scope else { return try value(at: [attribute.name], in: scope) ?? .null }
            inputs.insert(shared.program.inputs[Int(index)])
            return try value(of: attribute) ?? .null
        case .list(let parts):
            try charge(copying: parts.count)
            return .array(try values(of: parts, in: scope))
        case .reference(let index): return try value(ofEvaluator: Int(index), in: scope)
        case .variable(let path, let otherwise):
            let found = try value(at: shared.program.paths[Int(path)], in: scope)
            guard found == nil, let otherwise else { return found ?? .null }
            return try value(of: Int(otherwise), in: scope)
        case .condition(let parts):
            guard let branch = try branch(of: parts, in: scope) else { return .null }
            return try value(of: branch, in: scope)
        case .all(let parts): return try first(of: parts, in: scope) { !$0.isTrue }
        case .any(let parts): return try first(of: parts, in: scope) { $0.isTrue }
        case .comparison(let comparison, let parts): return .boolean(try holds(comparison, parts, in: scope))
        case .iteration(let iteration, let parts): return try iterated(iteration, parts, in: scope)
        case .split(let index): return try variant(of: shared.program.splits[Int(index)], node, in: scope)
        case .version(let version, let limit, let relation):
            let value = try value(of: Int(version), in: scope)
            try charge(version: value)
            return shared.program.limits[Int(limit)].relates(by: relation, to: value).map { .boolean($0) } ?? .null
        case .operation(let name, let parts) where parts.count == 2 && name.isOfTwo:
            let (first, second) = (try value(0, of: parts, in: scope), try value(1, of: parts, in: scope))
            return try result(of: name, first, second)
        case .operation(let name, let parts): return try result(of: name, try values(of: parts, in: scope), in: scope)
        }
    }

    /// The result of a shared evaluator, which is a separate program.
    private mutating func value(ofEvaluator index: Int, in scope: Scope) throws(ExceededLimit) -> EntryValue {
        let caller = shared
        shared = caller.program.references[index]
        defer { shared = caller }
        return try value(of: shared.program.root, in: scope)
    }

    /// The result of one of several arguments.
    mutating func value(
        _ position: Int,
        of arguments: RuleNode.Arguments,
        in scope: Scope
    ) throws(ExceededLimit) -> EntryValue {
        try value(of: argument(position, of: arguments), in: scope)
    }

    func argument(_ position: Int, of arguments: RuleNode.Arguments) -> Int {
        Int(shared.program.arguments[Int(arguments.lowerBound) + position])
    }

    private mutating func values(
        of arguments: RuleNode.Arguments,
        in scope: Scope
    ) throws(ExceededLimit) -> [EntryValue] {
        var values: [EntryValue] = []
        values.reserveCapacity(arguments.count)
        for position in 0..<arguments.count { values.append(try value(position, of: arguments, in: scope)) }
        return values
    }

    /// The node that yields the rule's result after the conditions before it have been evaluated; `nil` if there is none.
    mutating func result(from root: Int) throws(ExceededLimit) -> Int? {
        var node = root
        while case .condition(let parts) = shared.program.nodes[node] {
            try charge(1)
            guard let branch = try branch(of: parts, in: .context) else { return nil }
            node = branch
        }
        return node
    }

    /// The node that a condition chooses.
    private mutating func branch(of parts: RuleNode.Arguments, in scope: Scope) throws(ExceededLimit) -> Int? {
        var position = 0
        while position < parts.count - 1 {
            let condition = argument(position, of: parts)
            let isTrue = try value(of: condition, in: scope).isTrue
            decisions?.append(.condition(isTrue), at: condition, of: shared)
            if isTrue { return argument(position + 1, of: parts) }
            position += 2
        }
        return position < parts.count ? argument(position, of: parts) : nil
    }

    private mutating func first(
        of parts: RuleNode.Arguments,
        in scope: Scope,
        where decides: (EntryValue) -> Bool
    ) throws(ExceededLimit) -> EntryValue {
        var current = EntryValue.null
        for position in 0..<parts.count {
            current = try value(position, of: parts, in: scope)
            if decides(current) { break }
        }
        return current
    }

    private mutating func holds(
        _ comparison: RuleOrdering,
        _ parts: RuleNode.Arguments,
        in scope: Scope
    ) throws(ExceededLimit) -> Bool {
        let (left, right) = (try value(0, of: parts, in: scope), try value(1, of: parts, in: scope))
        guard try isOrdered(left, right, comparison) else { return false }
        return parts.count == 2 ? true : try isOrdered(right, value(2, of: parts, in: scope), comparison)
    }
}
