// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Dispatch
internal import Synchronization

/// Runs the long checks of publishes, on one queue for each namespace, so that no namespace waits for another's.
final class PublishChecks: Sendable {
    private struct Line {
        let queue: DispatchQueue
        var waiting = 0
    }

    private let lines = Mutex<[String: Line]>([:])
    private let patience: Duration

    /// - Parameter patience: how long a check may wait for those before it.
    init(patience: Duration) { self.patience = patience }

    /// - Returns: `nil` if the checks before it took too long.
    func check(_ publish: Publish, by state: NamespaceState) async -> PublishCheckResult? {
        let queue = lines.withLock { lines in
            let name = "livery.checks.\(publish.namespace)"
            let line = lines[publish.namespace] ?? Line(queue: DispatchQueue(label: name))
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
                continuation.resume(returning: .now < deadline ? state.check(publish) : nil)
            }
        }
    }
}

extension ConfigHub {
    /// How often a publish is checked again because its namespace has changed in the meantime.
    private static let maximumChecks = 10

    /// Checks a publish by the state in memory and has the store commit it, again if what it depends on has changed since.
    func publishChecked(_ publish: Publish) async throws(StoreError) -> PublishOutcome {
        var isCaughtUp = false
        for _ in 0..<Self.maximumChecks {
            var publish = publish
            if let state = state(of: publish.namespace) {
                switch await check(publish, by: state) {
                case .valid(let check): publish.check = check
                case .invalid(let violations):
                    // Another server may have changed the namespace before this publish was sent.
                    if isCaughtUp { return .invalid(violations) }
                    await catchUpWithStore()
                    isCaughtUp = true
                    if self.state(of: publish.namespace)?.revision == state.revision { return .invalid(violations) }
                    continue
                case .unfinished: publish.check = PublishCheck.none
                case nil:
                    let message = "earlier writes to the namespace take long to check; send fewer at once, or try again"
                    throw StoreError(.unavailable, message, reason: .busy)
                }
            }
            let outcome = try await queue.publish(publish)
            if case .outdated = outcome { continue }
            return outcome
        }
        let message = "the namespace changes faster than this write can be checked; send fewer writes to it at once"
        throw StoreError(.unavailable, message, reason: .busy)
    }

    private func check(_ publish: Publish, by state: NamespaceState) async -> PublishCheckResult? {
        if state.canCheckBriefly, publish.isBrief {
            let result = state.check(publish, isBrief: true)
            if case .unfinished = result {} else { return result }
        }
        return await checks.check(publish, by: state)
    }
}

extension Publish {
    /// Whether it sets few values, and neither schemas nor rules.
    fileprivate var isBrief: Bool {
        guard case .edit(let edits) = change else { return true }
        return change.roughBytes <= 64 * 1024 && edits.keys.allSatisfy { EntryKind(of: $0) == .value }
    }
}
