// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Dispatch
internal import Synchronization

/// Runs the long checks of publishes, on one queue for each namespace, so that no namespace waits for another's.
final class PublishChecks: Sendable {
    /// The queues of the namespaces whose checks wait, with their numbers.
    private let lines = Mutex<[String: (queue: DispatchQueue, waiting: Int)]>([:])
    private let patience: Duration

    /// The maximum number of checks of a publish whose namespace keeps changing.
    static let maximumRounds = 10

    /// - Parameter patience: how long a check may wait for those before it.
    init(patience: Duration) { self.patience = patience }

    /// Checks a publish: at once if that is short work.
    ///
    /// - Returns: `nil` if the checks before it took too long.
    func check(_ publish: Publish, by state: NamespaceState) async -> PublishCheckResult? {
        if state.canCheckBriefly, publish.isBrief {
            let result = StateReads(state: state).check(publish, isBrief: true)
            if case .unfinished = result {} else { return result }
        }
        return await checkInTurn(publish, by: state)
    }

    func checkInTurn(_ publish: Publish, by state: NamespaceState) async -> PublishCheckResult? {
        let queue = lines.withLock { lines in
            let name = "livery.checks.\(publish.namespace)"
            let line = lines[publish.namespace] ?? (queue: DispatchQueue(label: name), waiting: 0)
            lines[publish.namespace] = line
            lines[publish.namespace]?.waiting += 1
            return line.queue
        }
        defer {
            lines.withLock { lines in
                lines[publish.namespace]?.waiting -= 1
                if lines[publish.namespace]?.waiting == 0 { lines[publish.namespace] = nil }
            }
        }
        return await withCheckedContinuation { continuation in
            let deadline = ContinuousClock.now + patience
            queue.async {
                continuation.resume(returning: .now < deadline ? StateReads(state: state).check(publish) : nil)
            }
        }
    }
}

extension Publish {
    /// Whether it sets few values, and neither schemas nor rules.
    fileprivate var isBrief: Bool {
        guard case .edit(let edits) = change else { return true }
        return change.roughBytes <= 64 * 1024 && edits.keys.allSatisfy { EntryKind(of: $0) == .value }
    }
}
