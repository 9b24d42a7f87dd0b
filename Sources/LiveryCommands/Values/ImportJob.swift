// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import Files
import TerminalUI

/// The import of a document into a namespace.
struct ImportJob {
    let document: DocumentContents
    /// Whether entries that the document does not have are removed, of the kinds that it lists.
    let replaces: Bool
    /// Whether all keys of the namespace may be removed.
    var removesAll = false
    /// Whether it may change evaluators of rules that the document does not have.
    var overwritesEvaluators = false
    /// Whether it may become several revisions.
    var inBatches = false
    var message: String?
    /// The revision that the namespace has to be at; `nil` for the one that is read.
    var expect: UInt64?

    /// The result of the import, with nothing written yet.
    func plan(from now: ServerSnapshot) -> ImportResult {
        let present = NamespaceContents(of: now)
        let (diff, unchanged) = document.changes(of: present, replacing: replaces)
        return ImportResult(
            diff: diff,
            unchanged: unchanged,
            rules: present.rules,
            replaced: replaces ? [] : document.replacedEvaluators(of: present),
            revision: now.cursor.revision
        )
    }

    /// The changes of what a namespace contains.
    ///
    /// - Throws: `rejected` if all keys would be removed, or evaluators of other rules changed, and that is not allowed.
    func diff(from present: NamespaceContents) throws(ConfigError) -> ConfigDiff {
        let diff = document.changes(of: present, replacing: replaces).diff
        try refuse(diff, of: present)
        return diff
    }

    private func refuse(
        _ diff: ConfigDiff,
        of present: NamespaceContents,
        isBegun: Bool = false
    ) throws(ConfigError) {
        if !removesAll, !isBegun { try present.refuseRemovingAll(diff, by: "--replace") }
        if !replaces, !overwritesEvaluators { try document.refuseReplacedEvaluators(of: present) }
    }

    /// The same, of a namespace as it is now.
    ///
    /// - Parameter isBegun: whether this import has removed keys already.
    /// - Throws: `rejected` if values would violate schemas, or all keys would be removed and that is not allowed.
    func plan(on client: ServerClient, isBegun: Bool = false) async throws(ConfigError) -> ImportResult {
        let now = try await client.snapshot(withSchemas: true)
        let plan = plan(from: now)
        let present = NamespaceContents(of: now)
        try refuse(plan.diff, of: present, isBegun: isBegun)
        try present.check(plan.diff)
        // The schemas come with the last portion, so that those of now are the schemas of the others.
        if inBatches, plan.diff.batches().count > 1 {
            do throws(ConfigError) {
                try present.check(ConfigDiff(plan.diff.changes.filter { $0.kind != .schema }))
            } catch {
                guard plan.diff.schemas.isEmpty else { throw error.breakingReplacedSchemas }
                throw error
            }
        }
        return plan
    }

    /// - Parameter dryRun: whether the server only checks the request.
    func run(on client: ServerClient, dryRun: Bool) async throws(ConfigError) -> ImportResult {
        var done: ImportResult?
        var total = 0
        do throws(ConfigError) {
            return try await ServerClient.retrying(expect == nil || done != nil, after: done?.revisions ?? 0) {
                () async throws(ConfigError) in
                let plan = try await plan(on: client, isBegun: done != nil)
                total = (done?.diff.values.count ?? 0) + plan.diff.values.count
                guard plan.diff.isEmpty || dryRun else { return try await publish(plan, client, after: &done) }
                if dryRun || expect != nil, done == nil { try await client.dryRun(expect: expect, message: message) }
                return done ?? plan
            }
        } catch {
            guard error.code == .conflict else { throw error }
            throw explained(error, done: done?.diff.values.count ?? 0, of: total)
        }
    }

    /// - Parameter done: the part published before the last conflict; `nil` if there is none.
    private func publish(
        _ plan: ImportResult,
        _ client: ServerClient,
        after done: inout ImportResult?
    ) async throws(ConfigError) -> ImportResult {
        var result = plan
        if let done { result = done } else { (result.diff, result.revision) = (ConfigDiff([]), 0) }
        let former = result.diff.changes
        let total = result.diff.values.count + plan.diff.values.count
        let progress = ProgressLine(what: "keys", total: total)
        progress.show(result.diff.values.count)
        result.revision = plan.revision
        for batch in inBatches ? plan.diff.batches() : [plan.diff] {
            let expected = result.revisions == 0 ? expect ?? result.revision : result.revision
            let request = batch.request(expect: expected, message: message)
            do throws(ConfigError) {
                result.revision = try await client.publish(request).cursor.revision
            } catch {
                progress.interrupt()
                if error.code == .conflict { throw error }
                throw explained(error, done: result.diff.values.count, of: total)
            }
            result.revisions += 1
            result.diff = ConfigDiff(result.diff.changes + batch.changes)
            done = result
            progress.show(result.diff.values.count)
        }
        // Without the steps of shared evaluators.
        result.diff = ConfigDiff(former + plan.diff.changes)
        return result
    }

    private func explained(_ error: ConfigError, done: Int, of total: Int) -> ConfigError {
        var error = error
        if done > 0 {
            let state = "imported \(done.grouped) of \(total.grouped) keys"
            let isBroken = !error.violations.isEmpty
            error.message =
                isBroken
                ? "\(state), the rest violate schemas" : "\(error.message); \(state), run the import again for the rest"
        } else if error.code == .tooLarge, error.key == nil, !inBatches {
            // Its own advice is to divide the request.
            error.message = """
                the changes are too large for one request; nothing was imported; use --batches to import them in several \
                revisions
                """
        }
        return error
    }
}

extension ConfigError {
    /// The error for values that satisfy only the schemas imported with them.
    fileprivate var breakingReplacedSchemas: ConfigError {
        var error = self
        error.message = """
            nothing was written: --batches sets the schemas last, and the values violate the current schemas; import \
            without --batches, or unset these schemas first
            """
        return error
    }
}

extension ConfigDiff {
    /// The same changes in portions that any server accepts. A key and its rule are in the same one. The shared evaluators come
    /// before the rules, and evaluators that no rule needs any more are removed last, like the schemas are set.
    func batches(ofKeys maximumKeys: Int = 500, bytes maximumBytes: Int = 256 * 1024) -> [ConfigDiff] {
        let shared = rules.first { $0.key == EntryKind.sharedRules }
        let (first, last) = shared?.steps ?? ([], [])
        var batches: [ConfigDiff] = []
        var batch = first
        var bytes = first.reduce(0) { $0 + $1.size }
        let changesByKey = Dictionary(grouping: changes.filter { $0.kind != .schema && $0 != shared }, by: \.key)
        for (_, changes) in changesByKey.sorted(by: { $0.key < $1.key }) {
            let size = changes.reduce(0) { $0 + $1.size }
            if !batch.isEmpty, batch.count + changes.count > maximumKeys || bytes + size > maximumBytes {
                batches.append(ConfigDiff(batch))
                (batch, bytes) = ([], 0)
            }
            batch += changes
            bytes += size
        }
        // Together, the two steps of the evaluators would be one change.
        if !first.isEmpty, !last.isEmpty, batches.isEmpty {
            batches.append(ConfigDiff(batch))
            batch = []
        }
        batch += Array(schemas) + last
        return batch.isEmpty ? batches : batches + [ConfigDiff(batch)]
    }
}

extension KeyChange {
    /// About how many bytes it has in a request: the key and the value with their quotes, colon and comma.
    fileprivate var size: Int { key.utf8.count + (new?.canonicalJSON.utf8.count ?? 0) + 4 }

    /// This change of shared evaluators in two steps: what is added or changed, and then what is removed.
    fileprivate var steps: (adding: [KeyChange], removing: [KeyChange]) {
        guard case .object(let old)? = old else { return ([self], []) }
        guard case .object(let new)? = self.new else { return ([], [self]) }
        let all = EntryValue.object(new.reduce(old) { $0.setting($1.key, to: $1.value) })
        func step(_ old: EntryValue?, _ new: EntryValue?) -> [KeyChange] {
            old == new ? [] : [KeyChange(key: key, kind: kind, old: old, new: new)]
        }
        return (step(self.old, all), step(all, self.new))
    }
}

struct ImportResult: Hashable, Sendable {
    var diff: ConfigDiff
    /// The number of unchanged keys.
    var unchanged: Int
    /// The rules before the import.
    var rules: [String: EntryValue] = [:]
    /// The changed evaluators of rules that the document does not have.
    var replaced: [ReplacedEvaluator] = []
    var revision: UInt64 = 0
    /// The number of revisions.
    var revisions = 0

    /// Warnings about rules that give other values from now on, and about new values of keys whose rules stay as they are.
    var warnings: [String] {
        let evaluators = replaced.map(\.words).joined(separator: "; ")
        let ofEvaluators = replaced.isEmpty ? nil : "Warning: the import changes shared evaluators: \(evaluators)"
        let changedRules = Set(diff.rules.map(\.key))
        let keys = diff.values.filter { $0.new != nil && !changedRules.contains($0.key) }.map(\.key)
        return [ofEvaluators, RuleSummary.warning(onKeys: keys, rules: rules)].compactMap(\.self)
    }

    /// `2,490 new, 10 unchanged: revision 14.`
    var sentence: String {
        if diff.isEmpty { return "Up to date at revision \(revision)." }
        let same = unchanged > 0 ? ", \(unchanged.grouped) unchanged" : ""
        let end =
            switch revisions {
            case 0: "dry run, nothing written"
            case 1: "revision \(revision)"
            default: "\(revisions.grouped) revisions, latest: \(revision)"
            }
        return "\(diff.summary)\(same): \(end)."
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("revision") { $0.number(revision) }
        json.member("revisions") { $0.number(revisions) }
        json.member("new") { $0.number(diff.added) }
        json.member("changed") { $0.number(diff.changed) }
        json.member("removed") { $0.number(diff.removed) }
        json.member("unchanged") { $0.number(unchanged) }
        json.member("changed_schemas") { $0.strings(diff.schemas.map(\.key)) }
        json.member("changed_rules") { $0.strings(diff.rules.map(\.key)) }
        json.member("overwritten_evaluators") { $0.strings(replaced.map(\.name)) }
    }
}

/// The progress of long work on standard error: a bar on a terminal, lines elsewhere.
struct ProgressLine {
    var what: String
    var total: Int
    var isTerminal = Output.error.isTerminal
    var columns = Size(terminal: Output.error.descriptor)?.columns ?? 80

    /// Work of fewer parts shows nothing.
    static let threshold = 1000

    func show(_ done: Int) {
        // Progress that cannot be shown does not fail the work.
        try? Output.error.write(text(done))
    }

    /// Ends the line of the bar, for a message.
    func interrupt() {
        if isTerminal, total > Self.threshold { try? Output.error.write("\n") }
    }

    func text(_ done: Int) -> String {
        guard total > Self.threshold else { return "" }
        let count = "\(done.grouped) of \(total.grouped) \(what)"
        guard isTerminal else { return count + "\n" }
        // The last column stays free, so that no terminal wraps the line.
        let room = min(columns - 1 - count.columnWidth - 3, 40)
        let end = done == total ? "\n" : ""
        guard room >= 4 else { return "\r\(count.truncated(toColumns: columns - 1))\u{1B}[K\(end)" }
        let filled = room * done / total
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
        return "\r[\(bar)] \(count)\u{1B}[K\(end)"
    }
}
