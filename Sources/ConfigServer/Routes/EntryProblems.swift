// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import NIOHTTP1

/// The problems of requests about entries.
extension Problem {
    static func unknown(_ kind: EntryKind, _ name: String, _ revision: UInt64) -> Problem {
        let what = kind.noun
        return Problem(.notFound, "unknown-\(what)", "\(what) not found", key: name, revision: revision)
    }

    /// The name of an entry of a kind, if it can be one.
    static func validName(_ name: String, _ kind: EntryKind) throws(Problem) -> String {
        guard let problem = kind.problem(inName: name) else { return name }
        throw Problem(.badRequest, "invalid-key", "the key \(problem)", key: name.excerpt(ofScalars: 130))
    }

    /// The publish violates schemas, or its schemas or rules are invalid.
    static func invalid(_ violations: [ViolationMessage]) -> Problem {
        let name = violations.first.flatMap { $0.key ?? $0.rule ?? $0.schema }
        let first = violations.first.map { violation in
            let place = [name ?? "", violation.pointer].filter { !$0.isEmpty }
            return "\(place.joined(separator: ": ")): \(violation.message)"
        }
        let more = violations.count > 1 ? " (and \(violations.count - 1) more)" : ""
        return Problem(
            .unprocessableEntity,
            violations.first?.kind ?? "schema-violation",
            "nothing was written: \(first ?? "")\(more)",
            key: name,
            violations: violations
        )
    }
}

extension ViolationMessage {
    /// The type of the problem.
    fileprivate var kind: String {
        if schema == nil { return "invalid-rule" }
        return key == nil && rule == nil ? "invalid-schema" : "schema-violation"
    }
}

extension EntryKind {
    /// The name of the kind in messages.
    var noun: String { self == .value ? "key" : rawValue }
}
