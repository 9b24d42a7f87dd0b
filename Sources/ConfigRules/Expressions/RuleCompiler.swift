// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// Reads the targeting of a rule into a program, and collects what is wrong with it.
struct RuleCompiler {
    var program = RuleProgram()
    /// Where each node stands in the rule.
    private(set) var places: [JSONPointer] = []
    private(set) var faults: [RuleFault] = []

    private let evaluators: [String: EntryValue]
    /// The nodes of the shared evaluators that were used so far: one may be used in many places.
    private var shared: [String: Int] = [:]
    private var isInEvaluator: Bool

    /// What is wrong with the arguments of an operator.
    struct Problem: Error {
        let message: String

        init(_ message: String) { self.message = message }
    }

    init(evaluators: [String: EntryValue], isInEvaluator: Bool = false) {
        (self.evaluators, self.isInEvaluator) = (evaluators, isInEvaluator)
    }

    mutating func addFault(at place: JSONPointer, _ message: String) {
        guard faults.count < RuleError.maximumFaults else { return }
        faults.append(RuleFault(pointer: place.description, message: message))
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
            addFault(at: place, "an operation has one member, this object has \(count); take them apart by 'and'")
            return add(constant: .null, at: place)
        default: return add(constant: value, at: place)
        }
    }

    mutating func nodes(of values: [EntryValue], at place: JSONPointer) -> [Int] {
        values.enumerated().map { node(of: $1, at: place.appending($0)) }
    }

    /// Whether a node may look at the time: by name, in the whole context, or by a name that only a context gives.
    var readsTime: Bool {
        program.names.contains("$flagd")
            || program.paths.contains { $0 == ["$flagd"] || $0 == ["$flagd", "timestamp"] }
            || program.nodes.contains { node in
                guard case .operation(.variable, let arguments) = node else { return false }
                let path = program.nodes(arguments).first.flatMap(program.constant)
                return path.map { $0 == .null || $0 == .string("") } ?? true
            }
    }

    private mutating func operation(_ name: String, _ value: EntryValue, at place: JSONPointer) -> Int {
        if name == "$ref" { return reference(value, at: place) }
        let place = place.appending(name)
        // A single argument may stand without its array.
        let (values, parts) =
            if case .array(let list) = value {
                (list, nodes(of: list, at: place))
            } else {
                ([value], [node(of: value, at: place)])
            }
        do throws(Problem) {
            return add(try node(named: name, parts, values), at: place)
        } catch {
            addFault(at: place, error.message)
            return add(constant: .null, at: place)
        }
    }

    private mutating func reference(_ value: EntryValue, at place: JSONPointer) -> Int {
        do throws(Problem) {
            return try evaluator(value)
        } catch {
            addFault(at: place.appending("$ref"), error.message)
            return add(constant: .null, at: place)
        }
    }

    private mutating func evaluator(_ value: EntryValue) throws(Problem) -> Int {
        guard case .string(let name) = value else { throw Problem("'$ref' has the name of a shared evaluator") }
        guard !isInEvaluator else { throw Problem("a shared evaluator refers to no other; write the other one out") }
        if let node = shared[name] { return node }
        guard let evaluator = evaluators[name] else {
            let names = evaluators.keys.sorted().joined(separator: ", ").excerpt(ofScalars: 200)
            let known = evaluators.isEmpty ? "there are none" : "there are " + names
            throw Problem("no shared evaluator is called '\(name.excerpt(ofScalars: 60))'; \(known)")
        }
        isInEvaluator = true
        defer { isInEvaluator = false }
        let node = node(of: evaluator, at: JSONPointer.root.appending("$evaluators").appending(name))
        shared[name] = node
        return node
    }
}
