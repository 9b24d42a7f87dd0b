// SPDX-License-Identifier: Apache-2.0

import ConfigModel

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
