// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// Compiles the targeting of a rule to a program, and collects its errors.
struct RuleCompiler {
    var program = RuleProgram()
    /// The position of each node in the rule.
    private(set) var places: [JSONPointer] = []
    private(set) var faults: [RuleFault] = []

    /// The evaluators to refer to; `nil` within an evaluator.
    private let evaluators: RuleEvaluators?
    /// The indices of the references so far.
    private var references: [ExactString: RuleNode] = [:]

    /// The operator that refers to a shared evaluator.
    static let reference = "$ref"

    /// An error in the arguments of an operator.
    struct Problem: Error {
        let message: String

        init(_ message: String) { self.message = message }
    }

    init(evaluators: RuleEvaluators?) { self.evaluators = evaluators }

    mutating func addFault(at place: JSONPointer, _ message: @autoclosure () -> String) {
        guard faults.count < RuleError.maximumFaults else { return }
        faults.append(RuleFault(pointer: place.description, message: message()))
    }

    mutating func add(_ node: RuleNode, at place: JSONPointer) -> Int {
        places.append(place)
        return program.add(node)
    }

    private mutating func add(constant value: EntryValue, at place: JSONPointer) -> Int {
        add(program.add(constant: value), at: place)
    }

    /// The node of a part of the targeting.
    // The recursion is bounded by the depth of the rule, which is that of a value, and by that of an evaluator.
    mutating func node(of value: EntryValue, at place: JSONPointer) -> Int {
        switch value {
        case .array(let elements):
            let parts = nodes(of: elements, at: place)
            let constants = parts.compactMap(program.constant)
            if constants.count == parts.count { return add(constant: .array(constants), at: place) }
            return add(.list(program.add(arguments: parts)), at: place)
        case .object(let members) where members.count == 1:
            return operation(members[0].key, members[0].value, at: place)
        case .object(let members) where members.count > 1:
            let count = members.count
            addFault(
                at: place,
                "an operation must have exactly one member, not \(count); combine operations with 'and'"
            )
            return add(constant: .null, at: place)
        default: return add(constant: value, at: place)
        }
    }

    mutating func nodes(of values: [EntryValue], at place: JSONPointer) -> [Int] {
        values.enumerated().map { node(of: $1, at: place.appending($0)) }
    }

    private mutating func operation(_ name: String, _ value: EntryValue, at place: JSONPointer) -> Int {
        let place = place.appending(name)
        do throws(Problem) {
            return add(try node(named: name, value, at: place), at: place)
        } catch {
            addFault(at: place, error.message)
            return add(constant: .null, at: place)
        }
    }

    private mutating func node(
        named name: String,
        _ value: EntryValue,
        at place: JSONPointer
    ) throws(Problem) -> RuleNode {
        if name.hasSameScalars(as: Self.reference) { return try reference(to: value) }
        // A single argument need not be in an array.
        guard case .array(let list) = value else { return try node(named: name, [node(of: value, at: place)], [value]) }
        return try node(named: name, nodes(of: list, at: place), list)
    }

    private mutating func reference(to value: EntryValue) throws(Problem) -> RuleNode {
        guard case .string(let name) = value else { throw Problem("'$ref' must be the name of a shared evaluator") }
        guard let evaluators else {
            throw Problem("a shared evaluator must not reference another one; copy the other one here")
        }
        if let known = references[ExactString(name)] { return known }
        guard let evaluator = evaluators[name] else {
            throw Problem("unknown shared evaluator '\(name.excerpt(ofScalars: 60))'; \(evaluators.knownNames)")
        }
        let node = program.add(reference: evaluator)
        references[ExactString(name)] = node
        return node
    }
}
