// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Dispatch

/// The reads of a source: the one in flight, the callers that wait for the next, and the result of the last.
///
/// There is one at a time: two could end in the wrong order and leave the older state.
struct Reads {
    private(set) var inFlight: Task<RefreshOutcome, Never>?
    /// The number of the last read; an earlier one that has not ended yet is of a former context.
    private(set) var number = 0
    /// How often the source started again in another context: a read from before does not count any more.
    private(set) var contextCount = 0
    /// Whether the read in flight shows its failure.
    var showsFailure = false
    /// Whether changes alone will not do any more.
    var needsWhole = false
    /// When the source, or what it keeps of other sources, was last asked.
    var askedAt: Duration?
    /// When the read in flight began, once it has taken long.
    var slowSince: Timestamp?
    /// The problem of a part of the last reading, whose rest is used.
    private(set) var partProblem: ConfigError?
    /// The callers of a read that has not begun yet.
    private var askers: [CheckedContinuation<RefreshOutcome, Never>] = []

    /// Begins a read.
    ///
    /// - Parameter read: Starts the read of this number.
    mutating func begin(
        showingFailure: Bool,
        _ read: (_ number: Int) -> Task<RefreshOutcome, Never>
    ) -> Task<RefreshOutcome, Never> {
        showsFailure = showingFailure
        number += 1
        let task = read(number)
        inFlight = task
        return task
    }

    /// Ends the read in flight.
    mutating func end() { (inFlight, slowSince) = (nil, nil) }

    mutating func wait(_ asker: CheckedContinuation<RefreshOutcome, Never>) { askers.append(asker) }

    mutating func answer(_ outcome: RefreshOutcome) {
        for asker in askers { asker.resume(returning: outcome) }
        askers = []
    }

    /// Forgets what is known of the source, in another context.
    mutating func beginContext() {
        contextCount += 1
        (needsWhole, partProblem, askedAt) = (false, nil, nil)
    }

    /// The position to read after.
    func position(at mark: CacheMark) -> SourcePosition {
        needsWhole
            ? SourcePosition(seen: mark.cursor) : SourcePosition(cursor: mark.cursor, validators: mark.validators)
    }
}

// The result of a read.
extension Reads {
    /// The effect of a read.
    ///
    /// - Parameters:
    ///   - known: What the source had before, as far as it is known, and how that stands to the source.
    ///   - source: The source's name.
    ///   - wasThereBefore: Whether what is read now was there before, and so is as old as its document.
    /// - Returns: `nil` if the reading does not fit to what is known.
    mutating func fetched(
        _ reading: SourceReading,
        after known: (snapshot: EntrySnapshot, mark: CacheMark),
        of source: String,
        wasThereBefore: Bool,
        at now: Timestamp
    ) throws(ConfigError) -> FetchedState? {
        let time = wasThereBefore ? min(reading.modifiedAt ?? now, now) : now
        let validators = reading.problem == nil ? reading.validators : nil
        var next = CacheMark(validators: validators, modifiedAt: reading.modifiedAt)
        let update: EntrySnapshot.Update
        var isReset = false
        switch reading.content {
        case .unchanged:
            next.validators = reading.validators ?? known.mark.validators
            next.modifiedAt = reading.modifiedAt ?? known.mark.modifiedAt
            update = (known.snapshot, [])
        case .document(let document):
            update = known.snapshot.updated(with: document, from: source, at: time)
        case .entries(let entries):
            update = known.snapshot.updated(with: entries, at: time)
        case .snapshot(let whole, let isToldAsReset):
            isReset = isToldAsReset
            if !isReset { try refuseOlder(whole.cursor, than: known.mark.cursor, of: source) }
            update = try known.snapshot.updated(with: whole, from: source, at: time)
        case .changes(let changes, let epoch):
            guard let changed = known.snapshot.updated(with: changes, epoch: epoch, from: source, at: time) else {
                return nil
            }
            update = changed
        }
        if reading.content != .unchanged || reading.problem != nil { partProblem = reading.problem }
        var fetched = FetchedState(update, next, at: time)
        (fetched.isReset, fetched.preliminaryOrigin) = (isReset, reading.preliminaryOrigin)
        fetched.layers = reading.layers
        return fetched
    }

    /// Refuses a snapshot that may be older than the current state: a lower revision, or another epoch.
    ///
    /// A cache between the program and the server may return a snapshot of any age. Only a reset replaces the state by
    /// one of a lower revision or of another epoch: it is the answer to a request that names the current epoch and
    /// revision, and states that they are no longer part of the server's history, as after a restore. This protects from
    /// outdated answers, not from an attacker who can answer in place of the server and claim a reset.
    ///
    /// - Throws: `damaged`.
    private mutating func refuseOlder(_ cursor: Cursor, than own: Cursor?, of source: String) throws(ConfigError) {
        guard let own, own.epoch != cursor.epoch || cursor.revision < own.revision else { return }
        // If the epoch is new indeed, the server confirms it with a reset: the next request names the cursor.
        if own.epoch != cursor.epoch { needsWhole = false }
        let reason =
            own.epoch == cursor.epoch
            ? "revision \(cursor.revision) is older than the current one, \(own.revision)"
            : "epoch \(cursor.epoch) is not the current one, \(own.epoch), and the answer is no reset"
        throw ConfigError(
            .damaged,
            "outdated answer: \(reason); check for a proxy that caches answers for too long",
            source: source
        )
    }
}

/// The outcome of a read.
struct ReadAnswer {
    let outcome: RefreshOutcome
    /// When to read again, if the source says.
    let nextReadAfter: Duration?
    /// The position of the fetched state in a server's history.
    let cursor: Cursor?
}
