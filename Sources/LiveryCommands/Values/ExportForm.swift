// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire

/// A form of a configuration as one JSON document, which ``ConfigDocument`` reads back unchanged.
enum ExportForm {
    /// Nested objects, one level for each dot of a key. If `a` and `a.b` are both values, the second is written next to the
    /// first as `"a.b"`.
    case nested
    /// One object with dotted keys.
    case flat
    /// Each key with its value, objects included.
    case exact

    /// The document in this form, or in the exact one if this one would represent other values, or no schemas.
    ///
    /// The exact form, where it was chosen, lists schemas and rules even if there are none.
    ///
    /// - Parameter withSchemas: whether the document may list schemas.
    func json(of contents: NamespaceContents, withSchemas: Bool = true) -> [UInt8] {
        let values = contents.values.lazy.map { (key: $0, value: $1) }
        let isExact = isExact(for: contents)
        let kinds: Set<EntryKind> = self != .exact ? [] : withSchemas ? [.schema, .rule] : [.rule]
        var json = JSONWriter()
        if case .flat = self, !isExact {
            json.values(values)
        } else {
            json.document(values, schemas: contents.schemas, rules: contents.rules, isExact: isExact, listing: kinds)
        }
        return json.bytes
    }

    /// Whether the document has the exact form, by request or because it must.
    func isExact(for contents: NamespaceContents) -> Bool {
        if !contents.schemas.isEmpty || !contents.rules.isEmpty { return true }
        let values = contents.values
        return switch self {
        case .nested: ExactForm.isNeeded(for: values.lazy.map { (key: $0, value: $1) })
        case .flat: values.values.contains { if case .object = $0 { true } else { false } }
        case .exact: true
        }
    }
}
