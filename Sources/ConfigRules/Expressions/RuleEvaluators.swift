// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The evaluators that rules share, by name: operations that a rule uses as `{"$ref": "name"}`.
///
/// Each is compiled once, however many rules refer to it:
///
/// ```swift
/// let evaluators = try RuleEvaluators(["isSpanish": ["==": [["var": "language"], "es"]]])
/// let rule = try ConfigRule(
///     ["variants": ["a": 1, "b": 2], "targeting": ["if": [["$ref": "isSpanish"], "a", "b"]]],
///     evaluators: evaluators
/// )
/// ```
package struct RuleEvaluators: Sendable {
    private var programs: [ExactString: RuleProgram.Shared] = [:]
    /// The names, for a message.
    let knownNames: String

    /// No evaluators.
    package static let none = RuleEvaluators()

    private init() { knownNames = "none are defined" }

    /// Reads evaluators: an object of operations by name.
    ///
    /// - Throws: ``RuleError`` with all the errors. Their pointers begin with an evaluator's name.
    package init(_ value: EntryValue) throws(RuleError) {
        guard case .object(let members) = value else {
            let message = "shared evaluators must be an object of named operations, not \(value.kindName.withArticle)"
            throw RuleError(faults: [RuleFault(pointer: "", message: message)])
        }
        var faults: [RuleFault] = []
        for (name, operation) in members where faults.count < RuleError.maximumFaults {
            var compiler = RuleCompiler(evaluators: nil)
            let place = JSONPointer.root.appending(name)
            if name.isEmpty { compiler.addFault(at: place, "the name of an evaluator must not be empty") }
            _ = compiler.node(of: operation, at: place)
            faults += compiler.faults
            programs[ExactString(name)] = RuleProgram.Shared(
                compiler.program,
                places: compiler.places,
                in: "/" + JSONPointer.token(EntryKind.sharedRules)
            )
        }
        guard faults.isEmpty else { throw RuleError(faults: Array(faults.prefix(RuleError.maximumFaults))) }
        knownNames = members.isEmpty ? "none are defined" : "expected one of " + members.firstNames
    }

    /// The evaluator of a name.
    subscript(name: String) -> RuleProgram.Shared? { programs[ExactString(name)] }
}
