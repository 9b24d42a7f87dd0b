// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire
import Synchronization

@testable import LiveryScreens

/// The operator of a source in memory: each write is a revision, and a test decides what fails.
final class ScriptedOperator: SourceOperator {
    struct State {
        var contents: NamespaceContents
        var records: [HistoryRecord] = []
        var revision: UInt64 = 1
        /// The contents at each revision but the current one.
        var former: [UInt64: NamespaceContents] = [:]
        var granted = OperatorAbilities.all
        /// The error of each call; `nil` if calls succeed.
        var failure: ConfigError?
        /// The messages of the writes.
        var messages: [String?] = []
        var drafts: [DraftMessage] = []
        /// The ids of the drafts of the user.
        var own: Set<String> = []
        var draftChanges: [DraftChange] = []
    }

    private let state: Mutex<State>

    init(_ contents: NamespaceContents) { state = Mutex(State(contents: contents)) }

    /// Another source in the same state.
    init(copying other: ScriptedOperator) { state = Mutex(other.current) }

    var abilities: OperatorAbilities { .all }
    var current: State { state.withLock(\.self) }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Changes entries as another operator would.
    func write(_ changes: ConfigDiff, by author: String, message: String? = nil) {
        state.withLock { $0.write(changes, by: author, message: message) }
    }

    /// The state, unless calls fail.
    private func working() throws(ConfigError) -> State {
        let state = current
        if let failure = state.failure { throw failure }
        return state
    }

    func grantedAbilities() async throws(ConfigError) -> OperatorAbilities { try working().granted }

    func details(of key: String) async throws(ConfigError) -> KeyDetails {
        let state = try working()
        var details = KeyDetails(key: key, in: state.contents)
        details.record = state.records.last { $0.key == key }
        details.revision = details.record?.revision ?? (details.value == nil ? nil : 1)
        return details
    }

    func history(of key: String?, before: UInt64?, limit: Int) async throws(ConfigError) -> HistoryMessage {
        let records = try working().records.filter { key == nil || $0.kind.key(of: $0.key) == key }
        return HistoryMessage(records: records.reversed(), next: nil)
    }

    func contents(at revision: UInt64?) async throws(ConfigError) -> SourceContents {
        let state = try working()
        let number = revision ?? state.revision
        return SourceContents(
            state.former[number] ?? state.contents,
            at: RevisionCursor(epoch: Epoch(rawValue: 1), revision: number)
        )
    }

    func check(_ changes: ConfigDiff) async throws(ConfigError) -> ChangeReport {
        let state = try working()
        var report = state.contents.report(on: changes)
        report.conflicts = state.conflicts(with: changes)
        return report
    }

    func publish(
        _ changes: ConfigDiff,
        message: String?,
        expecting expected: UInt64?
    ) async throws(ConfigError) -> PublishResult {
        let state = try working()
        let conflicts = state.conflicts(with: changes)
        if !conflicts.isEmpty { return .conflict(conflicts) }
        guard expected ?? state.revision == state.revision else {
            throw ConfigError(.conflict, "the revision has changed")
        }
        write(changes, by: "ann", message: message)
        return .published(OperatorReceipt(revision: current.revision, count: changes.changes.count))
    }

    func drafts() async throws(ConfigError) -> DraftInbox {
        let state = try working()
        return DraftInbox(state.drafts.map(\.summary), own: state.own)
    }

    func draft(_ id: String) async throws(ConfigError) -> ServerDraft {
        guard let found = try working().drafts.first(where: { $0.summary.id == id }) else {
            throw ConfigError(.notFound, "there is no draft '\(id)' in the namespace")
        }
        return ServerDraft(found, bases: ["app.limit": 10])
    }

    /// Records the change; the last draft is the answer.
    func change(_ change: DraftChange) async throws(ConfigError) -> ServerDraft {
        let drafts = try working().drafts
        state.withLock { $0.draftChanges.append(change) }
        guard let last = drafts.last else { throw ConfigError(.rejected, "there is no draft") }
        return ServerDraft(last)
    }

    func rollback(
        to revision: UInt64,
        expecting expected: UInt64?,
        message: String?
    ) async throws(ConfigError) -> OperatorReceipt {
        let state = try working()
        guard expected ?? state.revision == state.revision else {
            throw ConfigError(.conflict, "the revision has changed")
        }
        let target = state.former[revision] ?? state.contents
        let changes = ConfigDiff(from: state.contents, to: target)
        write(changes, by: "ann", message: message)
        return OperatorReceipt(revision: current.revision, count: changes.changes.count)
    }
}

extension ScriptedOperator.State {
    func conflicts(with changes: ConfigDiff) -> [EntryConflict] {
        changes.conflicts(with: contents.held).map { conflict in
            var conflict = conflict
            conflict.record = records.last { $0.kind.key(of: $0.key) == conflict.change.heldKey }
            return conflict
        }
    }

    mutating func write(_ changes: ConfigDiff, by author: String, message: String?) {
        former[revision] = contents
        revision += 1
        messages.append(message)
        for change in changes.changes {
            contents[change.kind][change.key] = change.new
            records.append(
                HistoryRecord(
                    revision: revision,
                    key: change.key,
                    kind: change.kind,
                    value: change.new,
                    author: author,
                    message: message,
                    updatedAt: Demo.noon
                )
            )
        }
    }
}
