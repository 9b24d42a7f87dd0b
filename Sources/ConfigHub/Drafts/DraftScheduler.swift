// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import ConfigWire
internal import HashTreeCollections
internal import Logging
internal import Observing
internal import Synchronization

/// Applies drafts at their times, in the order of these and of their ids; posts the states of all drafts on the board; and
/// removes drafts that ended before the history begins.
///
/// Each server of a store tries, and the transaction lets one of them succeed: none has to know of the others.
final class DraftScheduler: Sendable {
    private let hub: NamespaceHub
    private let retention: HistoryRetention
    private let logger: Logger
    /// The reasons that have been logged.
    private let reported = Mutex<Set<String>>([])
    /// The positions of the namespaces of drafts whose states have been posted, by the namespaces that have the drafts.
    private let posted = Mutex<[String: RevisionCursor]>([:])
    /// The pause before another attempt, the longest one without any draft, and the shortest one between two passes.
    private static let (retry, longest, shortest) = (
        Duration.seconds(1), Duration.seconds(30), Duration.milliseconds(100)
    )

    private struct Item {
        let instant: Timestamp
        let id: String
        let namespace: String
    }

    init(_ hub: NamespaceHub, _ retention: HistoryRetention, _ logger: Logger) {
        (self.hub, self.retention, self.logger) = (hub, retention, logger)
    }

    /// Works until the task is cancelled.
    func run() async {
        let (hints, hint) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let stop = hub.observe { [self] state in
            let isOfDrafts = DraftNamespace.subject(of: state.namespace) != nil
            if isOfDrafts || posted.withLock({ $0[state.namespace] != nil }) { hint.yield() }
        }
        defer { stop() }
        var isFirst = true
        while !Task.isCancelled {
            // A store that does not answer is reported by its monitor; the clock goes on.
            try? await hub.readClock()
            let pause = await applyDue()
            await post(isFirst: isFirst)
            isFirst = false
            await removeForgotten()
            let alarm = Task {
                try await Task.sleep(for: pause, tolerance: .milliseconds(20))
                hint.yield()
            }
            var iterator = hints.makeAsyncIterator()
            _ = await iterator.next()
            alarm.cancel()
            try? await Task.sleep(for: Self.shortest)
        }
    }

    /// Posts the derived states of the open drafts, and of drafts that have ended since the last time.
    ///
    /// - Parameter isFirst: whether the server has just started: drafts that had ended before are no news.
    private func post(isFirst: Bool) async {
        for (namespace, state) in spaces() {
            let last = posted.withLock { $0.updateValue(state.cursor, forKey: namespace) }
            // After a restore all are closed, and have old revisions.
            let isOther = last.map { $0.epoch != state.cursor.epoch } ?? false
            let seen = isOther ? 0 : last?.revision ?? (isFirst ? .max : 0)
            let desk = hub.drafts(of: namespace)
            var marks: [DraftMark] = []
            for held in hub.index.drafts(in: state).values {
                guard held.state > seen || held.draft.state(in: state.cursor.epoch) == .open else { continue }
                // The store has been loaded, or there would be none.
                guard let violations = try? await desk.violations(of: held.draft),
                    let (draft, standing) = try? desk.current(held.draft, violations: violations)
                else { return }
                marks.append(DraftMark(id: draft.id, version: draft.version, status: standing.status.rawValue))
            }
            hub.draftBoard.post(marks, of: namespace)
        }
        hub.dropOldPreviews()
    }

    /// Removes the drafts that ended so long ago that the history has forgotten them too.
    private func removeForgotten() async {
        guard let head = hub.head else { return }
        let newest = hub.clock.now.earlier(by: retention.age)
        for (namespace, state) in spaces() {
            let old = hub.index.drafts(in: state).values.filter { held in
                held.draft.state(in: head.epoch) != .open && (held.draft.events.last?.time ?? newest) < newest
                    && held.state + retention.revisions < head.revision
            }
            if old.isEmpty { continue }
            await hub.drafts(of: namespace).remove(Array(old.prefix(100)))
        }
    }

    /// Applies the drafts that are due.
    ///
    /// - Returns: the time until the next one.
    private func applyDue() async -> Duration {
        let time = hub.clock.now
        // Another server may have changed an earlier one.
        if items().contains(where: { $0.instant <= time }) { await hub.follower.catchUpWithStore() }
        let items = items()
        var mustRetry = false
        // One that is scheduled from now on is later than all of these.
        for item in items where item.instant <= time {
            switch await apply(item) {
            case .done: continue
            case .later: mustRetry = true
            // The drafts after it come after it.
            case .unavailable: return Self.retry
            }
        }
        if mustRetry { return Self.retry }
        let now = hub.clock.now
        guard let next = items.first(where: { $0.instant > time }) else { return Self.longest }
        return max(.zero, min(.milliseconds(next.instant.milliseconds - now.milliseconds + 1), Self.longest))
    }

    private enum Result { case done, later, unavailable }

    private func apply(_ item: Item) async -> Result {
        let desk = hub.drafts(of: item.namespace)
        do throws(DraftError) {
            let draft = try desk.draft(item.id)
            let standing = try desk.standing(draft, violations: try await desk.violations(of: draft))
            // Another server has applied it.
            if standing.status.isEnd { return .done }
            guard standing.status == .due else {
                report(draft, item, ([standing.status.rawValue] + standing.missing).joined(separator: "; "))
                return standing.status == .missed ? .done : .later
            }
            let applied = try await desk.apply(item.id, digest: nil, by: nil)
            guard case .applied(let revision) = applied.state else { return .later }
            let metadata: Logger.Metadata = [
                "draft": "\(item.id)", "namespace": "\(item.namespace)",
                "revision": "\(revision.map(String.init) ?? "-")",
            ]
            logger.notice("scheduled draft applied", metadata: metadata)
            return .done
        } catch {
            switch error {
            case .store(let failure):
                guard failure.code == .overQuota || failure.code == .tooLarge else { return .unavailable }
                // Others may be small enough.
                if let draft = try? desk.draft(item.id) { report(draft, item, failure.message) }
                return .later
            case .unknown, .ended: return .done
            // The next pass finds the reason in the state of the draft.
            default: return .later
            }
        }
    }

    /// Logs once why a version of a draft is not applied at its time.
    private func report(_ draft: Draft, _ item: Item, _ reason: String) {
        let mark = "\(item.namespace) \(item.id) \(draft.version) \(reason)"
        let isNew = reported.withLock { reported in
            if reported.count > 10_000 { reported = [] }
            return reported.insert(mark).inserted
        }
        guard isNew else { return }
        logger.warning(
            "scheduled draft not applied",
            metadata: [
                "draft": "\(item.id)", "namespace": "\(item.namespace)", "apply_at": "\(draft.applyAt ?? "")",
                "reason": "\(reason)",
            ]
        )
    }

    /// The namespaces of drafts, by the namespaces that have the drafts.
    private func spaces() -> [(namespace: String, state: NamespaceState)] {
        guard let loaded = hub.memory.present else { return [] }
        return loaded.namespaces.compactMap { (name, state) in DraftNamespace.subject(of: name).map { ($0, state) } }
    }

    /// The open drafts with a time, in order.
    private func items() -> [Item] {
        let items = spaces().flatMap { (namespace, state) in
            hub.index.drafts(in: state).values.compactMap { held -> Item? in
                guard let instant = held.draft.instant, held.draft.state(in: state.cursor.epoch) == .open else {
                    return nil
                }
                return Item(instant: instant, id: held.draft.id, namespace: namespace)
            }
        }
        return items.sorted { ($0.instant, $0.id) < ($1.instant, $1.id) }
    }
}
