// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Essentials
internal import Observing
internal import Synchronization

/// The next state, and the keys whose values change.
struct Publication {
    let state: ConfigState.Snapshot
    let changedKeys: [String]
}

/// Publishes states and announces their changes.
final class Publisher: Sendable {
    let state: ConfigState
    /// Whether the source has answered, for any thread to ask.
    let answered = Atomic(false)
    /// Whether the service has run or read its source, so that a value is missing because the source lacks it.
    private let hasBegun = Atomic(false)
    private let hasWarned = Atomic(false)
    private let notificationCenter: NotificationCenter?
    private let log: SyncLog

    init(_ first: ConfigState.Snapshot, on notificationCenter: NotificationCenter?, _ log: SyncLog) {
        state = ConfigState(first)
        (self.notificationCenter, self.log) = (notificationCenter, log)
        first.typeProblems.log { [log] in log.cannotRead($0) }
        logRules(of: first, after: [])
    }

    var hasAnswered: Bool { answered.load(ordering: .acquiring) }

    func setAnswered(_ hasAnswered: Bool) { answered.store(hasAnswered, ordering: .releasing) }

    /// Notes the beginning of a run or a read.
    func begin() { hasBegun.store(true, ordering: .relaxed) }

    /// Notes that a caller gets no value. Before the first run, this is logged once.
    func valueIsMissing() {
        if hasBegun.load(ordering: .relaxed) || hasWarned.exchange(true, ordering: .relaxed) { return }
        log.isReadBeforeRun()
    }

    /// Makes a state visible, then announces its changes. The caller may be the request of a user: observers, which are
    /// those of the whole program, are not in its context.
    func show(_ publication: Publication) { EvaluationContext.withoutCurrent { announce(publication) } }

    private func announce(_ publication: Publication) {
        let (current, next) = (state.current, publication.state)
        state.replace(with: next)
        announce(publication.changedKeys, from: current.snapshot, to: next.snapshot)
        if next.status != current.status { log.show(next.status.problem, after: current.status.problem) }
        logRules(of: next, after: current.snapshot.ruleProblems)
    }

    private func logRules(of next: ConfigState.Snapshot, after former: [ConfigError]) {
        if next.snapshot.ruleProblems == former { return }
        for problem in Set(next.snapshot.ruleProblems).subtracting(former).prefix(SyncLog.maximumLines) {
            next.typeProblems.logOnce(problem, in: next)
        }
    }

    private func announce(_ changedKeys: [String], from previous: EntrySnapshot, to next: EntrySnapshot) {
        if changedKeys.isEmpty { return }
        let (before, after) = (previous.entries, next.entries)
        let update = ConfigDidUpdate(revision: next.revision, changedKeys: changedKeys, from: before, to: after)
        state.messageReaders.send(update)
        notificationCenter?.post(update, subject: state)
        log.show(changedKeys, in: next)
    }
}
