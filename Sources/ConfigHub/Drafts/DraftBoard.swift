// SPDX-License-Identifier: Apache-2.0

package import ConfigWire
internal import Observing
internal import Synchronization

/// The derived states of the drafts, as streams and metrics show them: they change with the drafts, with their namespace, and
/// with the time.
package final class DraftBoard: Sendable {
    /// The derived state of a draft, with the number of the change that made it so.
    private struct Mark {
        var message: DraftMark
        var change: Int
    }

    private struct Board {
        /// The number of changes.
        var change = 0
        var marks: [String: [String: Mark]] = [:]
    }

    private let board = Mutex(Board())
    /// Sent whenever a state has changed.
    private let changes = ChangeSignal()

    /// The states that have changed, and the number of the last change.
    ///
    /// - Parameter change: the last change that the caller knows; `nil` for all open drafts.
    package func marks(of namespace: String, after change: Int?) -> (marks: [DraftMark], change: Int) {
        board.withLock { board in
            if change == board.change { return ([], board.change) }
            let marks = board.marks[namespace, default: [:]].values.filter { mark in
                change.map { mark.change > $0 } ?? !mark.message.hasEnded
            }
            return (marks.map(\.message).sorted { $0.id < $1.id }, board.change)
        }
    }

    /// The number of drafts of each status, by namespace.
    package var counts: [String: [String: Int]] {
        board.withLock { board in
            board.marks.mapValues { marks in
                marks.values.reduce(into: [:]) { $0[$1.message.status, default: 0] += 1 }
            }
        }
    }

    /// Posts states of drafts of a namespace.
    func post(_ messages: [DraftMark], of namespace: String) {
        let hasChanged = board.withLock { board in
            var marks = board.marks[namespace] ?? [:]
            let next = board.change + 1
            for message in messages where marks[message.id]?.message != message {
                marks[message.id] = Mark(message: message, change: next)
                board.change = next
            }
            // By then no stream needs the end of a draft.
            if marks.count > 2 * Self.keptEnds {
                marks = marks.filter { !$0.value.message.hasEnded || $0.value.change > next - Self.keptEnds }
            }
            board.marks[namespace] = marks
            return board.change == next
        }
        if hasChanged { changes.send() }
    }

    /// The number of changes for which the end of a draft is kept.
    private static let keptEnds = 1000

    /// Calls a function whenever a state has changed, which must be short.
    ///
    /// - Returns: what ends the observation.
    package func observe(_ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void { changes.observe(body) }
}
