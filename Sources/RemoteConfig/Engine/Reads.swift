// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Dispatch

/// The reads of a source: the one in flight, and the callers that wait for the next.
///
/// Only one read runs at a time: two could end in the wrong order and leave the older state.
struct Reads {
    /// The circumstances in which a read was begun; its result does not count in any other.
    struct Ticket: Hashable {
        let number: Int
        let contextCount: Int
        let offlineCount: Int
    }

    private(set) var inFlight: Task<RefreshOutcome, Never>?
    /// The read in flight, or the last one that was.
    private(set) var latest: Task<RefreshOutcome, Never>?
    /// The number of the last read; an earlier one that has not ended yet is of a former context or network.
    private(set) var number = 0
    /// How often the source started again in another context.
    private var contextCount = 0
    /// Whether the read in flight shows its failure.
    var showsFailure = false
    /// The time of the last read of the source, or of its layers.
    var askedAt: Duration?
    /// The callers of a read that has not begun yet.
    private var askers: [CheckedContinuation<RefreshOutcome, Never>] = []

    /// Begins a read.
    ///
    /// - Parameters:
    ///   - offlineCount: How often the program has been set offline.
    ///   - read: Starts the read of this ticket.
    @discardableResult
    mutating func begin(
        showingFailure: Bool,
        offlineCount: Int,
        _ read: (Ticket) -> Task<RefreshOutcome, Never>
    ) -> Task<RefreshOutcome, Never> {
        showsFailure = showingFailure
        number += 1
        let task = read(Ticket(number: number, contextCount: contextCount, offlineCount: offlineCount))
        (inFlight, latest) = (task, task)
        return task
    }

    /// Checks that the result of a read counts.
    ///
    /// - Throws: `offline` if the program was set offline since it began, `cancelled` if another read replaced it, or if
    ///   the source started again in another context: what was read for one user is not shown to another.
    func check(_ ticket: Ticket, offlineCount: Int) throws(ConfigError) {
        if ticket.offlineCount != offlineCount { throw .setOffline }
        if ticket.contextCount != contextCount || ticket.number != number { throw .cancelled }
    }

    /// Ends the read in flight.
    mutating func end() { inFlight = nil }

    mutating func wait(_ asker: CheckedContinuation<RefreshOutcome, Never>) { askers.append(asker) }

    mutating func answer(_ outcome: RefreshOutcome) {
        for asker in askers { asker.resume(returning: outcome) }
        askers = []
    }

    /// Forgets what was read in another context.
    mutating func beginContext() {
        contextCount += 1
        askedAt = nil
    }
}

extension Task where Failure == Never {
    /// The value of the task, which is cancelled together with the caller.
    var valueWithinCaller: Success {
        get async {
            await withTaskCancellationHandler {
                await value
            } onCancel: {
                cancel()
            }
        }
    }

    /// Waits for the end of the task, or of the caller: the task goes on when the caller is cancelled.
    func waitUnlessCancelled(on executor: some TaskExecutor) async {
        let promise = Promise<Void>()
        Task<Void, Never>(executorPreference: executor) {
            _ = await value
            promise.settle(())
        }
        await promise.value(ifCancelled: ())
    }
}

/// The outcome of a read.
struct ReadAnswer {
    let outcome: RefreshOutcome
    /// The time of the next read, if the source specifies it.
    let nextReadAfter: Duration?
    /// The position of the fetched state in a server's history.
    let cursor: RevisionCursor?
}
