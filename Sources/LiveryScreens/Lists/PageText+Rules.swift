// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import TerminalUI

// A rule, on the pages of its key and on the screen that edits it.
extension PageText {
    /// The value of a user, and its origin.
    func lines(of outcome: RuleOutcome, at place: String?) -> [ListLine] {
        let value: [ListLine.Span] =
            outcome.value.map { preview.spans(of: $0, columns: columns / 2) } ?? [.init("no value", .dimmed)]
        return [ListLine([.init("Gets      ", .dimmed)] + value)] + origin(of: outcome, at: place)
    }

    /// The variant or the default value, the decisions of the rule, and the value of other users.
    func origin(of outcome: RuleOutcome, at place: String?) -> [ListLine] {
        let origin = [outcome.origin, place].compactMap(\.self).joined(separator: ", ")
        let other = outcome.variant == nil ? nil : outcome.defaultValue?.canonicalJSON.excerpt(ofScalars: 60)
        return table(["From": origin]) + outcome.decisions.flatMap { table([$0.kind: $0.words]) }
            + table(["Default": other])
    }

    /// The share of users of each variant, and its value if the rule is given.
    func lines(of tally: RuleTally, _ rule: ConfigRule? = nil) -> [ListLine] {
        let shares = tally.shares
        let names = shares.map { ($0.variant?.string ?? "no variant").sanitized() }
        let widest = min(names.map(\.columnWidth).max() ?? 0, max(columns / 3, 8))
        let lines = zip(shares, names).map { share, name -> ListLine in
            let (now, then) = (share.now.description, share.then.description)
            let text = (now == then ? now : "\(now) → \(then)").padded(toColumns: 8)
            let head = name.fitted(toColumns: widest)
            let isDefault = share.variant != nil && share.variant == rule?.defaultVariant.map { ExactString($0) }
            let end = isDefault ? "  default" : ""
            let value = share.variant.flatMap { rule?.variants[$0.string] }
            let room = columns - widest - 12 - end.columnWidth
            let spans: [ListLine.Span] = value.map { preview.spans(of: $0, columns: room) } ?? []
            return ListLine(
                [.init(head + "  ", .dimmed), .init(text + "  ", now == then ? .plain : .accent)] + spans
                    + [.init(end, .dimmed)]
            )
        }
        let problem = tally.problem.map { wrapped("✖ \($0)", .error) } ?? []
        return lines + wrapped(tally.basis, .dimmed) + problem
    }
}
