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
    /// The namespaces that have had drafts.
    private let known = Mutex<Set<String>>([])
    /// The pause before another attempt, the longest one without any draft, and the shortest one between two passes.
    private static let (retry, longest, shortest) = (
        Duration.seconds(1), Duration.seconds(30), Duration.milliseconds(50)
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
            if isOfDrafts || known.withLock({ $0.contains(state.namespace) }) { hint.yield() }
        }
        defer { stop() }
        while !Task.isCancelled {
            // A store that does not answer is reported by its monitor; the clock goes on.
            try? await hub.readClock()
            let pause = await applyDue()
            await post()
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

    /// Posts the derived states of all drafts.
    private func post() async {
        for (namespace, drafts) in lists() {
            known.withLock { _ = $0.insert(namespace) }
            let desk = hub.drafts(of: namespace)
            var marks: [DraftMark] = []
            for held in drafts {
                // The store has been loaded, or there would be none.
                guard let violations = try? await desk.violations(of: held.draft),
                    let standing = try? desk.standing(held.draft, violations: violations)
                else { return }
                marks.append(
                    DraftMark(id: held.draft.id, version: held.draft.version, status: standing.status.rawValue)
                )
            }
            hub.draftBoard.set(marks, of: namespace)
        }
        hub.draftBoard.start()
    }

    /// Removes the drafts that ended so long ago that the history has forgotten them too.
    private func removeForgotten() async {
        guard let head = hub.head else { return }
        let newest = hub.clock.now.earlier(by: retention.age)
        for (namespace, drafts) in lists() {
            let old = drafts.filter { held in
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
            let standing = try desk.standing(draft)
            // Another server has applied it.
            if standing.status.isEnd { return .done }
            guard standing.status == .due else {
                report(draft, item, "\(standing.status.rawValue)")
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
            // Others may be small enough.
            case .store(let failure) where failure.code != .overQuota && failure.code != .tooLarge: return .unavailable
            case .unknown, .ended: return .done
            default:
                if let draft = try? desk.draft(item.id) { report(draft, item, "\(error)") }
                return .later
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

    /// The drafts of all namespaces.
    private func lists() -> [(namespace: String, drafts: [Draft.Held])] {
        guard let loaded = hub.memory.present else { return [] }
        return loaded.namespaces.compactMap { (name, drafts) in
            DraftNamespace.subject(of: name).map { ($0, Array(hub.index.drafts(in: drafts).values)) }
        }
    }

    /// The open drafts with a time.
    private func items() -> [Item] {
        let epoch = hub.epoch
        let items = lists().flatMap { (namespace, drafts) in
            drafts.compactMap { held -> Item? in
                guard held.draft.state(in: epoch) == .open, let instant = held.draft.instant else { return nil }
                return Item(instant: instant, id: held.draft.id, namespace: namespace)
            }
        }
        return items.sorted { ($0.instant, $0.id) < ($1.instant, $1.id) }
    }
}
