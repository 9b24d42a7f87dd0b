// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The reads of a source: the one in flight, and the callers that wait for the next.
///
/// Only one read runs at a time: two could end in the wrong order and leave the older state.
struct Reads {
    /// The circumstances in which a read was begun; its result does not count in any other.
    struct Ticket {
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
    /// How often the program was set offline.
    private var offlineCount = 0
    /// Whether the read in flight shows its failure.
    var showsFailure = false
    /// Whether new callers wait for the end of a read or refresh that does not count for them.
    private(set) var isAskedAgain = false
    /// Whether a refresh of layers is in progress, which is one for all its callers.
    private var isRefreshing = false

    /// Begins a read.
    ///
    /// - Parameter read: Starts the read of this ticket.
    @discardableResult
    mutating func begin(
        showingFailure: Bool,
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
    func check(_ ticket: Ticket) throws(ConfigError) {
        if wasSetOffline(since: ticket) { throw .setOffline }
        if ticket.contextCount != contextCount || ticket.number != number { throw .cancelled }
    }

    func wasSetOffline(since ticket: Ticket) -> Bool { ticket.offlineCount != offlineCount }

    /// Cancels the read in flight, and has no caller wait for another.
    mutating func goOffline() {
        offlineCount += 1
        isAskedAgain = false
        inFlight?.cancel()
    }

    /// Ends the read in flight.
    mutating func end() { inFlight = nil }

    /// Makes new callers start another refresh once the read or refresh in progress has ended.
    mutating func askAgain() { isAskedAgain = true }

    /// Returns whether another refresh is due, and clears that.
    mutating func takeAskedAgain() -> Bool {
        defer { isAskedAgain = false }
        return isAskedAgain
    }

    /// Begins a refresh of layers.
    ///
    /// - Returns: Whether none is in progress. Otherwise new callers start another once it has ended.
    mutating func beginRefresh() -> Bool {
        isAskedAgain = isRefreshing
        defer { isRefreshing = true }
        return !isRefreshing
    }

    /// Ends the refresh in progress.
    mutating func endRefresh() { isRefreshing = false }

    /// Forgets what was read in another context.
    mutating func beginContext() { contextCount += 1 }
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
}

/// The outcome of a read.
struct ReadAnswer {
    let outcome: RefreshOutcome
    /// The time of the next read, if the source specifies it.
    let nextReadAfter: Duration?
    /// The position of the fetched state in a server's history.
    let cursor: RevisionCursor?
}
