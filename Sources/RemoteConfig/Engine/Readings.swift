// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The effect of readings on the known state of a source.
struct Readings {
    /// Whether the whole state must be read, and not only changes.
    var needsWhole = false
    /// The problem of a part of the last reading, whose rest is used.
    private(set) var partProblem: ConfigError?

    /// The position to read after.
    func position(at mark: CacheMark) -> SourcePosition {
        needsWhole
            ? SourcePosition(seen: mark.cursor) : SourcePosition(cursor: mark.cursor, validators: mark.validators)
    }

    /// The state that a reading leads to.
    ///
    /// - Parameters:
    ///   - known: the last known state of the source, and its relation to the source.
    ///   - source: The source's name.
    ///   - wasThereBefore: Whether the values existed before, and are as old as their document.
    /// - Returns: `nil` if the reading does not match the known state.
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
            update = known.snapshot.updated(with: document, of: reading.text, from: source, at: time)
        case .edit(let edit):
            guard let edited = known.snapshot.updated(with: edit, from: source, at: time) else { return nil }
            update = edited
        case .entries(let entries):
            update = known.snapshot.updated(with: entries, at: time)
        case .layers(let layers):
            update = known.snapshot.updated(with: layers.map(\.layer))
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
        var fetched = FetchedState(update, next, at: now, dating: time)
        (fetched.isReset, fetched.preliminaryOrigin) = (isReset, reading.preliminaryOrigin)
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
    private mutating func refuseOlder(_ cursor: RevisionCursor, than own: RevisionCursor?, of source: String)
        throws(ConfigError)
    {
        guard let own, own.epoch != cursor.epoch || cursor.revision < own.revision else { return }
        // If the epoch is new indeed, the server confirms it with a reset: the next request names the cursor.
        if own.epoch != cursor.epoch { needsWhole = false }
        let reason =
            own.epoch == cursor.epoch
            ? "revision \(cursor.revision) is older than the current one, \(own.revision)"
            : "epoch \(cursor.epoch) is not the current one, \(own.epoch), and the response is not a reset"
        throw ConfigError(
            .damaged,
            "outdated response: \(reason); check for a proxy that caches responses for too long",
            source: source
        )
    }
}

/// A state of the source that was read, or that changes lead to.
struct FetchedState {
    /// The state and its changed keys, before rules are evaluated.
    let update: EntrySnapshot.Update
    /// The validators and the date of the state; its cursor and digest are those of the snapshot.
    let mark: CacheMark
    /// The time of the changes: that of the document, where its values existed before.
    let time: Timestamp
    /// The time at which it was fetched.
    let now: Timestamp
    /// Whether the former state is no longer part of the server's history.
    var isReset = false
    /// The origin of the values while a part of the source has not answered yet.
    var preliminaryOrigin: ValueOrigin?

    var origin: ValueOrigin { preliminaryOrigin ?? .source }

    init(_ update: EntrySnapshot.Update, _ mark: CacheMark, at now: Timestamp, dating time: Timestamp? = nil) {
        (self.update, self.mark, self.now, self.time) = (update, mark, now, time ?? now)
    }
}
