// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The keys of a document that cannot be stored in a namespace.
package struct LeftOutKeys: Hashable, Sendable {
    private let keys: Set<ExactString>
    /// The errors of the first of them.
    package let problems: [ConfigError]

    /// None.
    package init() { (keys, problems) = ([], []) }

    /// - Parameter problems: why each of them cannot be stored, with its key.
    package init(problems: [ConfigError]) {
        keys = Set(problems.map { ExactString($0.key ?? "") })
        self.problems = Array(problems.prefix(ConfigDocument.maximumProblems))
    }

    package init(of document: ConfigDocument) {
        (keys, problems) = (document.leftOut, document.problems)
    }

    package var count: Int { keys.count }

    /// A line for each, with its place.
    package var lines: [String] {
        let rest = count - problems.count
        return problems.map { "Skipped: \($0.description)" }
            + (rest > 0 ? ["Skipped: \(rest.grouped) more keys"] : [])
    }

    /// A line for each reason with its keys, with the place if it is the reason for one key alone:
    /// `Skipped: app.a, app.b: null is not a value; remove the key instead`.
    package var reasons: [String] {
        let groups = Dictionary(grouping: problems.indices) { ExactString(problems[$0].message) }.values
        let lines = groups.sorted { $0[0] < $1[0] }.map { group -> String in
            guard group.count > 1 else { return "Skipped: \(problems[group[0]].description)" }
            let names = group.prefix(Self.namesOfReason).compactMap { problems[$0].key }
            let rest = group.count - names.count
            let keys = names.joined(separator: ", ") + (rest > 0 ? " and \(rest.grouped) more" : "")
            return "Skipped: \(keys): \(problems[group[0]].message)"
        }
        let rest = count - problems.count
        return lines + (rest > 0 ? ["Skipped: \(rest.grouped) more keys"] : [])
    }

    private static let namesOfReason = 8

    /// The changes of other keys: the document has a value for these.
    package func without(_ diff: ConfigDiff) -> ConfigDiff {
        ConfigDiff(diff.changes.filter { !keys.contains(ExactString($0.kind.label + $0.key)) })
    }
}

/// The effect of an import in words, before it is made.
package enum ImportSummary {
    /// The numbers of keys, and then a line for each reason why keys are skipped.
    ///
    /// ```
    /// 12 added, 3 changed, 0 removed, 5 unchanged, 1 rule; 2 skipped
    /// Skipped: app.a, app.b: null is not a value; remove the key instead
    /// ```
    package static func lines(_ changes: ConfigDiff, unchanged: Int, leftOut: LeftOutKeys) -> [String] {
        let counts = [
            (changes.added, "added"), (changes.changed, "changed"), (changes.removed, "removed"),
            (unchanged, "unchanged"),
        ]
        let others = [(changes.schemas.count, "schema"), (changes.rules.count, "rule")].filter { $0.0 > 0 }
        let words = counts.map { "\($0.grouped) \($1)" } + others.map { $0.grouped(of: $1) }
        let skipped = leftOut.count > 0 ? "; \(leftOut.count.grouped) skipped" : ""
        return [words.joined(separator: ", ") + skipped] + leftOut.reasons
    }
}
