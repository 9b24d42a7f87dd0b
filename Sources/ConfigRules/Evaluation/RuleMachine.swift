import ConfigModel

/// Evaluates the targeting of a rule, by JsonLogic as flagd has it. Odd input gives null or false, never an error.
struct RuleMachine {
    /// The rule took more steps than any may.
    struct TooManySteps: Error {}

    /// What `var` looks into: the context, or within `map` and the like an element.
    enum Scope {
        case context
        case element(EntryValue)
    }

    let nodes: [RuleNode]
    let flag: String
    let context: EvaluationContext
    /// Seconds since 1970.
    let timestamp: Int

    private(set) var steps = 0
    /// How many it may take.
    let limit: Int
    /// What was decided on the way, where somebody asks.
    var decisions: [RuleDecision]?

    /// What an evaluation may cost: a step for each part that is looked at, for each element of an array, and for each
    /// 16 bytes of a text.
    static let maximumSteps = 100_000

    init(
        nodes: [RuleNode],
        flag: String,
        context: EvaluationContext,
        timestamp: Int,
        limit: Int = Self.maximumSteps
    ) {
        (self.nodes, self.flag, self.context, self.timestamp) = (nodes, flag, context, timestamp)
        self.limit = limit
    }

    mutating func charge(_ count: Int) throws(TooManySteps) {
        steps += count
        if steps > limit { throw TooManySteps() }
    }

    mutating func charge(text: String) throws(TooManySteps) {
        try charge(text.utf8.count / 16)
    }

    // The recursion is bounded by the depth of the rule.
    mutating func value(of node: Int, in scope: Scope) throws(TooManySteps) -> EntryValue {
        try charge(1)
        switch nodes[node] {
        case .constant(let value): return value
        case .attribute(let name):
            guard case .context = scope else { return try value(at: [name], in: scope) ?? .null }
            return attribute(name) ?? .null
        case .list(let parts): return .array(try values(of: parts, in: scope))
        case .variable(let path, let otherwise):
            let found = try value(at: path, in: scope)
            guard found == nil, let otherwise else { return found ?? .null }
            return try value(of: otherwise, in: scope)
        case .condition(let parts): return try chosen(parts, of: node, in: scope)
        case .all(let parts): return try first(of: parts, in: scope) { !$0.isTrue }
        case .any(let parts): return try first(of: parts, in: scope) { $0.isTrue }
        case .comparison(let comparison, let first, let second, let third):
            return .boolean(try holds(comparison, first, second, third, in: scope))
        case .iteration(let iteration, let items, let body, let initial):
            return try iterated(iteration, items, body, initial, in: scope)
        case .split(let split): return try variant(of: split, node, in: scope)
        case .version(let version, let relation, let limit):
            return limit.relates(by: relation, to: try value(of: version, in: scope)).map { .boolean($0) } ?? .null
        case .operation(let name, let parts) where parts.count == 2 && name.isOfTwo:
            let (first, second) = (try value(of: parts[0], in: scope), try value(of: parts[1], in: scope))
            return try result(of: name, first, second)
        case .operation(let name, let parts): return try result(of: name, try values(of: parts, in: scope), in: scope)
        }
    }

    mutating func values(of nodes: [Int], in scope: Scope) throws(TooManySteps) -> [EntryValue] {
        var values: [EntryValue] = []
        values.reserveCapacity(nodes.count)
        for node in nodes { values.append(try value(of: node, in: scope)) }
        return values
    }

    private mutating func chosen(_ parts: [Int], of node: Int, in scope: Scope) throws(TooManySteps) -> EntryValue {
        var index = 0
        while index < parts.count - 1 {
            let isTrue = try value(of: parts[index], in: scope).isTrue
            decisions?.append(RuleDecision(node: parts[index], .condition(isTrue)))
            if isTrue { return try value(of: parts[index + 1], in: scope) }
            index += 2
        }
        return index < parts.count ? try value(of: parts[index], in: scope) : .null
    }

    private mutating func first(
        of parts: [Int],
        in scope: Scope,
        where decides: (EntryValue) -> Bool
    ) throws(TooManySteps) -> EntryValue {
        var current = EntryValue.null
        for part in parts {
            current = try value(of: part, in: scope)
            if decides(current) { break }
        }
        return current
    }

    private mutating func holds(
        _ comparison: RuleComparison,
        _ first: Int,
        _ second: Int,
        _ third: Int?,
        in scope: Scope
    ) throws(TooManySteps) -> Bool {
        let (left, right) = (try value(of: first, in: scope), try value(of: second, in: scope))
        let last = try third.map { (node) throws(TooManySteps) in try value(of: node, in: scope) } ?? .null
        guard try isOrdered(left, right, comparison) else { return false }
        return last == .null ? true : try isOrdered(right, last, comparison)
    }
}
