// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules

/// Rewrites parts of flagd's targeting that a rule refuses.
///
/// flagd evaluates one of the operations that it adds to JsonLogic to null each time if an operand is of the wrong type
/// or number, such as `{"ends_with": [{"var": "id"}, 3]}`. A rule refuses that as an error; the import writes the null
/// instead.
enum FlagdTargeting {
    private static let operators = ["fractional", "sem_ver", "starts_with", "ends_with"]
    private static let conditions = ["if", "?:"]

    /// Replaces an operation by null. Where it is a condition, its result is removed with it, since null chooses none.
    ///
    /// - Parameters:
    ///   - pointer: the place of the operation, which ends with its operator.
    ///   - rule: a rule, or the shared evaluators by name.
    /// - Returns: `nil` if there is none of flagd's operations at this place.
    static func replacingOperation(at pointer: String, in rule: EntryValue) -> EntryValue? {
        let tokens = JSONPointer.tokens(of: pointer)
        guard let name = tokens.last, operators.contains(name) else { return nil }
        return replacing(tokens[...], in: rule, under: "")
    }

    // The recursion is bounded by the depth of the rule.
    private static func replacing(_ path: ArraySlice<String>, in value: EntryValue, under name: String) -> EntryValue? {
        guard let first = path.first else { return nil }
        switch value {
        case .object(let members) where path.count == 1:
            return members.count == 1 && members[first] != nil && isRefused(value, first) ? .null : nil
        case .object(var members):
            guard let member = members[first], let new = replacing(path.dropFirst(), in: member, under: first) else {
                return nil
            }
            members.setMember(first, to: new)
            return .object(members)
        case .array(var elements):
            guard let index = Int(first), elements.indices.contains(index),
                let new = replacing(path.dropFirst(), in: elements[index], under: name)
            else { return nil }
            elements[index] = new
            let isCondition = conditions.contains(name) && index % 2 == 0 && index < elements.count - 1
            if isCondition, new == .null { elements.removeSubrange(index...index + 1) }
            return .array(elements)
        default: return nil
        }
    }

    /// Whether a rule refuses an operation for its operands, and not for a variant that does not exist.
    private static func isRefused(_ operation: EntryValue, _ name: String) -> Bool {
        do throws(RuleError) {
            _ = try RuleEvaluators(["operation": operation])
            return false
        } catch {
            return error.faults.contains { $0.pointer == "/operation/\(name)" }
        }
    }
}
