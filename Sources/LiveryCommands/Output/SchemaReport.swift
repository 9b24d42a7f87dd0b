// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigSchemas
import ConfigWire
import TerminalUI

/// The schema violations of a namespace.
struct SchemaReport {
    let revision: UInt64
    /// The number of keys with a schema.
    private(set) var checked = 0
    /// By key.
    private(set) var violations: [KeyViolation] = []

    init(of state: ServerSnapshot, by document: SchemaSet) {
        revision = state.cursor.revision
        let values = NamespaceContents(of: state).values
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let (name, schema) = document.schema(forKey: key) else { continue }
            checked += 1
            violations += schema.violations(of: value, forKey: key, name: name)
        }
        // The errors that a server would report for all of them at once.
        if violations.isEmpty {
            violations = document.violations(of: values.lazy.map { (key: $0.key, value: $0.value) })
        }
    }

    var lines: [[Span]] {
        let keys = checked.grouped(of: "value")
        let broken = Set(violations.map(\.key)).count
        let result =
            switch broken {
            case 0: "all match their schema"
            case 1: "1 violates its schema"
            default: "\(broken.grouped) violate their schema"
            }
        let end = "\(keys) checked at revision \(revision): \(result)."
        return violations.map { [Span($0.message.line)] } + [[Span(end, .faint)]]
    }

    func writeMembers(to object: inout JSONWriter) {
        object.member("revision") { $0.number(revision) }
        object.member("checked") { $0.number(checked) }
        object.member("violations", each: violations) { item, array in
            array.object { object in
                object.member("key") { $0.string(item.key) }
                object.member("schema") { $0.string(item.schema) }
                object.member("pointer") { $0.string(item.violation.pointer) }
                object.member("keyword") { $0.string(item.violation.keyword) }
                object.member("keyword_pointer") { $0.string(item.violation.keywordPointer) }
                object.member("limit") { $0.value(item.violation.limit) }
                object.member("found") { $0.value(item.violation.found) }
                object.member("message") { $0.string(item.violation.message) }
            }
        }
    }
}
