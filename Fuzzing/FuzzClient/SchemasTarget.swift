// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigSchemas
import FuzzKit

extension FuzzTarget {
    /// A schema, a byte of 0, and a value to check by it.
    ///
    /// Any input has an answer in bounded time, and each error has a position and a message. An accepted schema round-trips,
    /// with the same results for the value.
    static let schemas = FuzzTarget("schemas") { bytes in
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let schema: ConfigSchema
        do throws(SchemaError) {
            schema = try ConfigSchema(json: Array(parts[0]), source: "fuzz")
        } catch {
            FuzzKit.require(!error.faults.isEmpty, "an error without details")
            for fault in error.faults { requireTelling(fault.pointer, fault.message) }
            return
        }
        let again = try? ConfigSchema(json: Array(schema.canonicalJSON.utf8))
        FuzzKit.require(again == schema, "\(schema.canonicalJSON) is read again as \(again?.canonicalJSON ?? "none")")
        guard parts.count == 2, let value = try? EntryValue(json: Array(parts[1])) else { return }
        let violations = schema.violations(of: value)
        for violation in violations { requireTelling(violation.pointer, violation.message) }
        FuzzKit.require(again?.violations(of: value) == violations, "another answer of the same schema")
        FuzzKit.require(violations.count <= ConfigSchema.maximumViolations, "\(violations.count) violations")
    }

    private static func requireTelling(_ pointer: String, _ message: String) {
        FuzzKit.require(pointer.isEmpty || pointer.hasPrefix("/"), "'\(pointer)' is not a JSON Pointer")
        FuzzKit.require(!message.isEmpty && !message.contains("\n"), "invalid error message '\(message)'")
    }
}
