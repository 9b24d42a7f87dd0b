// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import Synchronization

/// Runs refreshes by id, one at a time, and each once however often it was added before its turn. A caller that adds to an idle
/// queue does the work. A caller that adds while another thread works, or from within the work, leaves it to that thread. So no
/// caller waits, and no older result follows a newer one.
package final class RefreshQueue: Sendable {
    private struct State {
        var waiting: [String] = []
        var known: Set<ExactString> = []
        var isWorking = false
    }

    private let state = Mutex(State())

    package init() {}

    package func add(_ ids: some Sequence<String>, work: (String) -> Void) {
        let mustWork = state.withLock { state in
            for id in ids where state.known.insert(ExactString(id)).inserted { state.waiting.append(id) }
            if state.isWorking || state.waiting.isEmpty { return false }
            state.isWorking = true
            return true
        }
        guard mustWork else { return }
        while let batch = nextBatch() {
            for id in batch {
                // From here on the id may be added again, since the work may miss later changes.
                state.withLock { _ = $0.known.remove(ExactString(id)) }
                work(id)
            }
        }
    }

    private func nextBatch() -> [String]? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.isWorking = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }
}
